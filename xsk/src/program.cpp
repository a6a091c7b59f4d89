// SPDX-License-Identifier: Apache-2.0
// Set-up in order: look at the device, load, clear the way, attach, put the rules in force.
#include <skein/xsk/program.hpp>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "network_namespace.hpp"
#include "program_attach.hpp"
#include "program_error.hpp"
#include "program_log.hpp"
#include "program_metadata.hpp"
#include "program_object.hpp"
#include "program_removal.hpp"
#include "program_survey.hpp"

namespace skein::inline v0::xsk {

namespace {

using notes = std::vector<std::string>;

bool in_dispatcher(const attached_program& program) noexcept {
    return program.in_dispatcher;
}

setup_error occupied_error(const interface_facts& device, const attached_program& program) {
    std::string remedy =
        command_beside(device, "ip link set " + device.name + " xdp off, or --replace");
    if (program.owner == program_owner::ours_alive) remedy = "stop that process, or use --replace";
    return setup_error(EBUSY, {.operation = "attach XDP program",
                               .interface = device.label(),
                               .cause = to_string(program) + " is attached",
                               .remedy = std::move(remedy)});
}

// The modes to try, in order. Beside a dispatcher only its own mode is possible.
std::vector<xdp_mode> modes_to_try(xdp_mode asked, const std::vector<attached_program>& beside) {
    if (asked != xdp_mode::any) return {asked};
    if (!beside.empty()) return {beside.front().mode};
    return {xdp_mode::native, xdp_mode::generic};
}

// Errors that another mode cannot cure.
bool is_final(int error_number) noexcept {
    return error_number == EPERM || error_number == EACCES || error_number == EBUSY ||
           error_number == EEXIST || error_number == ENODEV;
}

std::string refusal_note(int error_number, xdp_mode mode, const interface_facts& device,
                         const std::string& log) {
    const auto [cause, remedy] = explain_attach(error_number, mode, device);
    std::string note = std::string(to_string(mode)) + " mode refused: " + errno_text(error_number);
    if (!cause.empty()) note += ": " + cause;
    if (!log.empty()) note += " (" + log + ")";
    return note;
}

}  // namespace

class redirect_program::implementation {
  public:
    // Runs in the device's namespace, which it can enter again by the object given.
    implementation(const program_options& options, std::shared_ptr<const network_namespace> space)
        : space_(std::move(space)),
          device_(inspect_interface(options.interface, options.network_namespace)),
          queues_(options.queue_count != 0 ? options.queue_count : device_.queues),
          metadata_(options.rx_metadata) {
        std::vector<attached_program> others = survey(device_);
        for (const auto& dead : remove_dead(device_, others))
            result_.notes.push_back("removed " + to_string(dead));
        choose_method(options, others);
        open();
        check_metadata(options.mode);
        clear_the_way(others, options.replace);
        attach(modes_to_try(options.mode, others));
        object_->set_first_rules(options.rules, options.otherwise);
    }

    implementation(const implementation&) = delete;
    implementation& operator=(const implementation&) = delete;
    ~implementation() { release(); }

    const interface_facts& device() const noexcept { return device_; }
    const attach_result& result() const noexcept { return result_; }
    program_object& object() noexcept { return *object_; }
    // A link is given up from anywhere.
    void release() noexcept {
        if (place_.method() == attach_method::link) return place_.release();
        try {
            space_->run([this] { place_.release(); });
        } catch (const std::exception&) {  // not permitted any more: the next start removes it
        }
    }

  private:
    // Beside a dispatcher there is no other way than into it.
    void choose_method(const program_options& options,
                       const std::vector<attached_program>& others) {
        method_ =
            options.method == attach_method::link ? options.method : attach_method::dispatcher;
        if (method_ == attach_method::dispatcher ||
            std::none_of(others.begin(), others.end(), in_dispatcher))
            return;
        method_ = attach_method::dispatcher;
        std::string note = "a libxdp dispatcher runs on the device: joined it beside";
        for (const attached_program& program : others)
            if (program.in_dispatcher) note += " " + to_string(program);
        result_.notes.push_back(std::move(note));
    }

    // libxdp loads by itself while it attaches; a link wants a loaded program.
    void open() {
        object_.emplace(device_, queues_, metadata_kind::none);
        if (method_ == attach_method::link) object_->load();
    }

    // What is left in `others` afterwards stays beside us.
    void clear_the_way(std::vector<attached_program>& others, bool replace) {
        std::vector<attached_program> beside;
        for (const attached_program& program : others) {
            if (program.in_dispatcher) {
                beside.push_back(program);
                continue;
            }
            if (!replace) throw occupied_error(device_, program);
            remove(device_, program);
            result_.notes.push_back("replaced " + to_string(program));
        }
        others = std::move(beside);
    }

    // What is required and cannot be had in any case is refused before anything is removed.
    void check_metadata(xdp_mode asked) const {
        if (metadata_ != choice::required) return;
        if (method_ != attach_method::link)
            throw metadata_error(device_, "libxdp attaches no program that is bound to a device");
        if (asked == xdp_mode::generic)
            throw metadata_error(device_, "in generic mode no device is asked");
    }

    bool attach_metadata(xdp_mode mode) {
        if (metadata_ == choice::forbidden) return false;
        std::string refusal =
            "no RX metadata: libxdp attaches no program that is bound to a device";
        if (method_ == attach_method::link) {
            auto program = attach_with_metadata(device_, queues_, mode, place_, refusal);
            if (program) object_ = std::move(program);
            if (program) return true;
        }
        if (metadata_ == choice::required) throw metadata_error(device_, refusal);
        result_.notes.push_back(std::move(refusal));
        return false;
    }

    void attach(const std::vector<xdp_mode>& modes) {
        for (const xdp_mode mode : modes) {
            if (attach_metadata(mode)) return note_success();
            const log_capture log;
            const int status = attempt(mode);
            if (status == 0) return note_success();
            if (is_final(-status) || mode == modes.back())
                throw attach_error(-status, mode, device_, log.text());
            result_.notes.push_back(refusal_note(-status, mode, device_, log.text()));
        }
    }

    int attempt(xdp_mode mode) {
        if (method_ == attach_method::link) return place_.take_link(device_, *object_, mode);
        const int status = place_.take_libxdp(device_, *object_, mode);
        if (status < 0) open();  // libxdp may have loaded it; the next attempt needs a fresh one
        return status;
    }

    void note_success() {
        result_.mode = place_.mode();
        result_.method = place_.method();
        result_.metadata = object_->metadata();
        result_.program_id = object_->id();
        if (result_.method == attach_method::single)
            result_.notes.push_back(
                "libxdp could not run its dispatcher here (it needs a bpffs at /sys/fs/bpf and "
                "freplace programs): the program is attached alone");
    }

    std::shared_ptr<const network_namespace> space_;
    interface_facts device_;
    std::uint32_t queues_;
    choice metadata_;
    attach_method method_ = attach_method::link;
    attach_result result_;
    std::optional<program_object> object_;
    attachment place_;  // goes before the object it attached
};

redirect_program::redirect_program(const program_options& options) {
    const auto space = std::make_shared<const network_namespace>(options.network_namespace);
    self_ = space->run([&] { return std::make_unique<implementation>(options, space); });
}
redirect_program::redirect_program(redirect_program&&) noexcept = default;
redirect_program& redirect_program::operator=(redirect_program&&) noexcept = default;
redirect_program::~redirect_program() = default;

const attach_result& redirect_program::attached() const noexcept {
    return self_->result();
}

const std::string& redirect_program::interface() const noexcept {
    return self_->device().name;
}

std::uint32_t redirect_program::queue_count() const noexcept {
    return self_->object().queue_count();
}

void redirect_program::insert_socket(std::uint32_t queue, int socket_fd) {
    self_->object().insert_socket(queue, socket_fd);
}

void redirect_program::remove_socket(std::uint32_t queue) noexcept {
    self_->object().remove_socket(queue);
}

void redirect_program::set_rules(std::span<const rule> rules, default_action otherwise) {
    self_->object().set_rules(rules, otherwise);
}

verdict_counts redirect_program::verdicts(std::uint32_t queue) const {
    return self_->object().verdicts(queue);
}

verdict_counts redirect_program::verdicts() const {
    verdict_counts total;
    for (std::uint32_t queue = 0; queue < queue_count(); ++queue)
        total += verdicts(queue);
    return total;
}

int redirect_program::file_descriptor() const noexcept {
    return self_->object().file_descriptor();
}

void redirect_program::detach() noexcept {
    if (self_) self_->release();
}

}  // namespace skein::inline v0::xsk
