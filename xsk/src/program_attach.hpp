// SPDX-License-Identifier: Apache-2.0
// A program's place on a device: taken in one mode by one method, given back once.
#pragma once

#include <skein/xsk/program.hpp>

#include "interface.hpp"
#include "program_fd.hpp"
#include "program_object.hpp"

struct xdp_program;

namespace skein::inline v0::xsk {

class attachment {
  public:
    attachment() = default;
    attachment(attachment&&) = delete;
    attachment& operator=(attachment&&) = delete;
    ~attachment() { release(); }

    // Attaches a loaded object through a link. 0 or a negated errno value.
    int take_link(const interface_facts& device, const program_object& object, xdp_mode mode);

    // Lets libxdp load and attach an object that is not loaded: as a component of its dispatcher
    // or, where the kernel does not let it have one, alone. 0 or a negated errno value.
    int take_libxdp(const interface_facts& device, const program_object& object, xdp_mode mode);

    xdp_mode mode() const noexcept { return mode_; }
    attach_method method() const noexcept { return method_; }

    // Takes the program off the device; safe to repeat.
    void release() noexcept;

  private:
    int interface_index_ = 0;
    int program_fd_ = -1;
    xdp_mode mode_ = xdp_mode::native;
    attach_method method_ = attach_method::link;
    owned_fd link_;
    xdp_program* component_ = nullptr;  // libxdp's handle
};

}  // namespace skein::inline v0::xsk
