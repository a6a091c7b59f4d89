// SPDX-License-Identifier: Apache-2.0
#include "busy_poll.hpp"

#include <cerrno>

#include <skein/xsk/error.hpp>
#include <skein/xsk/uapi.hpp>

#include "interface.hpp"
#include "network_namespace.hpp"
#include "sys.hpp"

namespace skein::inline v0::xsk {

namespace {

std::string refusal(int error_number) {
    auto text = "busy polling refused: " + errno_text(error_number);
    if (error_number == EPERM) text += " (add CAP_NET_ADMIN)";
    return text;
}

// The device's interrupts come in between unless both are set.
void note_settings(const interface_facts& device, std::vector<std::string>& notes) {
    const struct {
        const char* name;
        const char* usual;
    } settings[] = {{"napi_defer_hard_irqs", "2"}, {"gro_flush_timeout", "200000"}};
    for (const auto& setting : settings) {
        if (sys::interface_setting(device.name, setting.name) != 0) continue;
        notes.push_back(std::string(setting.name) + " is 0, so interrupts go on: " +
                        command_beside(device, std::string("sh -c 'echo ") + setting.usual +
                                                   " > /sys/class/net/" + device.name + "/" +
                                                   setting.name + "'"));
    }
}

// Of a device that has a NAPI id now, or may get one with its first packet.
void look_at_device(const device_name& where, std::uint32_t napi_id, busy_poll_result& result) {
    const auto device = inspect_interface(where.interface, where.network_namespace);
    if (napi_id == 0) {
        result.notes.push_back(
            device.driver == "veth"
                ? "no NAPI id: busy polling has no effect on this device"
                : "no NAPI id yet: busy polling has no effect on this device before its first "
                  "packet, and on virtual ones never");
    }
    if (device.driver != "veth") note_settings(device, result.notes);
}

}  // namespace

busy_poll_result prefer_busy_polling(int fd, const device_name& device,
                                     const busy_poll_options& options) {
    const struct {
        int name;
        std::uint32_t value;
    } wishes[] = {{uapi::so_prefer_busy_poll, 1},
                  {uapi::so_busy_poll, options.microseconds},
                  {uapi::so_busy_poll_budget, options.budget}};
    busy_poll_result result;
    for (const auto& wish : wishes) {
        const int status =
            sys::set_option(fd, SOL_SOCKET, wish.name, &wish.value, sizeof wish.value);
        if (status >= 0) continue;
        result.notes.push_back(refusal(-status));
        return result;
    }
    result.obtained = true;
    auto bytes = sizeof result.napi_id;
    sys::get_option(fd, SOL_SOCKET, uapi::so_incoming_napi_id, &result.napi_id, &bytes);
    try {
        network_namespace(device.network_namespace).run([&] {
            look_at_device(device, result.napi_id, result);
        });
    } catch (const setup_error& error) {  // a device just removed, a right just lost
        result.notes.push_back(std::string("its settings are not known: ") + error.what());
    }
    return result;
}

std::string to_string(const busy_poll_result& result) {
    std::string text = result.obtained ? "busy polling" : "no busy polling";
    std::string notes;
    for (const auto& note : result.notes)
        notes += (notes.empty() ? "" : "; ") + note;
    return notes.empty() ? text : text + " (" + notes + ")";
}

}  // namespace skein::inline v0::xsk
