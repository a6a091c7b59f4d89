// SPDX-License-Identifier: Apache-2.0
// Every wire format skein knows. view.hpp says how views and values work.
#pragma once

#include <skein/wire/arp.hpp>
#include <skein/wire/ethernet.hpp>
#include <skein/wire/icmp.hpp>
#include <skein/wire/ipv4.hpp>
#include <skein/wire/ipv6.hpp>
#include <skein/wire/ipv6_extension.hpp>
#include <skein/wire/sctp.hpp>
#include <skein/wire/tcp.hpp>
#include <skein/wire/udp.hpp>
#include <skein/wire/vlan.hpp>
#include <skein/wire/vlan_stack.hpp>
