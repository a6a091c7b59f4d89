#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What rx, tx and forward refuse before anything is opened: each with the right exit status, a cause
# and a remedy, for people and in JSON.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
live_begin "$@"
source "$(dirname "$0")/bench.sh"
make_bench

values_that_make_no_sense_are_usage_errors() {
    local help='see skein rx --help'
    refused 2 'a queue number or `all`, not `x`' "$help" rx left --queue x
    refused 2 'a queue number or `all`, not `-1`' "$help" rx left --queue -1
    refused 2 'a queue number or `all`, not `123456`' "$help" rx left --queue 123456
    refused 2 'fast not in' "$help" rx left --mode fast
    refused 2 '3 is not a whole number from 16' "$help" rx left --frames 3
    refused 2 '1000 not in' "$help" rx left --chunk 1000
    refused 2 'a power of two from 2 to 1048576, not `3`' "$help" rx left --ring 3
    refused 2 'a power of two from 2 to 1048576, not `0`' "$help" rx left --ring 0
    refused 2 'is not the number of a CPU' "$help" rx left --cpu x
    refused 2 'this process may not run on CPU 4000' "$help" rx left --cpu 0,4000
    refused 2 'never not in' "$help" rx left --wait never
    refused 2 '-1 is not a whole number' "$help" rx left --duration -1
    refused 2 '1.5 is not a whole number' "$help" rx left --duration 1.5
    refused 2 'many is not a whole number' "$help" rx left --count many
    refused 2 'glue not in' "$help" rx left --attach glue
    refused 2 'perhaps not in' "$help" rx left --otherwise perhaps
    refused 2 '--zc excludes --copy' "$help" rx left --zc --copy
    refused 2 'not expected: --nonsense' "$help" rx left --nonsense
    refused 2 'not expected: right' "$help" rx left right
}

rules_that_make_no_sense_name_the_word() {
    refused 2 '"grab" at 0: a rule begins with take or pass' 'take udp port 53' rx left --rule 'grab udp'
    refused 2 '"port" at 10: that protocol has no ports' 'use tcp, udp' rx left --rule 'take icmp port 53'
    refused 2 '"10.1.2.3/8" at 9: address bits behind the prefix' '10.0.0.0/8' \
        forward left right --rule 'take src 10.1.2.3/8'
}

packets_that_cannot_be_made_are_usage_errors() {
    refused 2 '--size 10 is out of range' 'choose 42 to 65549 bytes' tx left --size 10
    refused 2 '70000 is not a whole number' 'see skein tx --help' tx left --size 70000
    refused 2 '`zz` is no MAC address' '02:00:00:00:00:01' tx left --dst-mac zz
    refused 2 'are no two addresses of one family' 'two IPv4 or two IPv6' tx left --src 10.0.0.1 --dst fe80::1
    refused 2 '65536 is not a whole number' 'see skein tx --help' tx left --dport 65536
    refused 2 'not expected: take udp --rule' 'see skein tx --help' tx left --rule 'take udp'
}

stages_that_are_not_there_are_refused_by_name() {
    refused 2 '--defrag is not available' 'leave --defrag out' forward left right --defrag local
    refused 2 '--route is not available' 'leave --route out' forward left right --route
    refused 2 '--gro is not available' 'leave --gro out' rx left --gro on
}

interfaces_that_are_not_there_are_named() {
    local where='`ip link` lists those there are'
    refused 1 'find interface on nowhere: no such interface' "$where" rx nowhere
    refused 1 'find interface on nowhere: no such interface' "$where" tx nowhere
    refused 1 'find interface on nowhere: no such interface' "$where" forward left nowhere
    refused 1 'find interface on a-name-too-long-for-linux' "$where" rx a-name-too-long-for-linux
    refused 2 'forward needs two interfaces, not left twice' 'skein rx' forward left left
    assert_nothing_attached
}

queues_that_are_not_there_are_named() {
    refused 1 'choose queue on left queue 1: the device has 1 queue' 'choose queue 0' rx left --queue 1
    refused 1 'choose queue on left queue 99999: the device has 1 queue' 'choose queue 0' tx left --queue 99999
    refused 1 'choose queue on left queue 1: the device has 1 queue' 'choose queue 0' \
        forward left right --queue 1
    assert_nothing_attached
}

zero_copy_that_a_device_lacks_is_refused_when_insisted_on() {
    refused 1 'bind on left queue 0: zero-copy was refused [EOPNOTSUPP' 'leave out --zc' rx left --zc
    assert_nothing_attached
}

a_capture_that_cannot_be_written_is_refused() {
    refused 1 'open /nonexistent/x: ENOENT' 'check the name' rx left --pcap /nonexistent/x
    assert_nothing_attached
}

run_cases values_that_make_no_sense_are_usage_errors rules_that_make_no_sense_name_the_word \
    packets_that_cannot_be_made_are_usage_errors stages_that_are_not_there_are_refused_by_name \
    interfaces_that_are_not_there_are_named queues_that_are_not_there_are_named \
    zero_copy_that_a_device_lacks_is_refused_when_insisted_on a_capture_that_cannot_be_written_is_refused
