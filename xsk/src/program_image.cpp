// SPDX-License-Identifier: Apache-2.0
#include "program_image.hpp"

#include "abi.h"
// abi.h comes first: the skeletons use its structs.
#include <redirect.skel.h>
#include <redirect_device.skel.h>
#include <redirect_segments.skel.h>

#include <skein/rx_metadata.hpp>

namespace skein::inline v0::xsk {

// What the program writes is what the packet's reader reads.
#define SKEIN_SAME_PLACE(ours, theirs)                                                        \
    static_assert(offsetof(rx_metadata_record, ours) == offsetof(skein_rx_metadata, theirs)); \
    static_assert(sizeof(rx_metadata_record::ours) == sizeof(skein_rx_metadata::theirs));
SKEIN_SAME_PLACE(timestamp_ns, timestamp)
SKEIN_SAME_PLACE(hash, hash)
SKEIN_SAME_PLACE(gso_type, gso_type)
SKEIN_SAME_PLACE(hash_type, hash_type)
SKEIN_SAME_PLACE(vlan_tci, vlan_tci)
SKEIN_SAME_PLACE(vlan_protocol, vlan_proto)
SKEIN_SAME_PLACE(gso_size, gso_size)
SKEIN_SAME_PLACE(gso_segments, gso_segs)
SKEIN_SAME_PLACE(version, version)
SKEIN_SAME_PLACE(valid, valid)
SKEIN_SAME_PLACE(magic, magic)
#undef SKEIN_SAME_PLACE
static_assert(sizeof(rx_metadata_record) == sizeof(skein_rx_metadata));
static_assert(rx_metadata_record::right_magic == SKEIN_METADATA_MAGIC);
static_assert(rx_metadata_record::right_version == SKEIN_METADATA_VERSION);
static_assert(rx_metadata_record::has_timestamp == SKEIN_METADATA_TIMESTAMP);
static_assert(rx_metadata_record::has_hash == SKEIN_METADATA_HASH);
static_assert(rx_metadata_record::has_vlan == SKEIN_METADATA_VLAN);
static_assert(rx_metadata_record::has_segments == SKEIN_METADATA_SEGMENTS);

namespace {

template <class ElfBytes>
std::span<const std::byte> image(ElfBytes elf_bytes) noexcept {
    std::size_t size = 0;
    const void* start = elf_bytes(&size);
    return {static_cast<const std::byte*>(start), size};
}

}  // namespace

std::span<const std::byte> program_image(metadata_kind kind) noexcept {
    switch (kind) {
        case metadata_kind::device:
            return image(skein_redirect_device::elf_bytes);
        case metadata_kind::segments:
            return image(skein_redirect_segments::elf_bytes);
        case metadata_kind::none:
            break;
    }
    return image(skein_redirect::elf_bytes);
}

}  // namespace skein::inline v0::xsk
