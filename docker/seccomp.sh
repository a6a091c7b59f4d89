#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Writes a seccomp profile that is the engine's own, but for one rule: bpf() is allowed to whoever
# has CAP_BPF, not to CAP_SYS_ADMIN alone. The engine's profile stays the base, so that the rest is
# as strict as what is installed here. It needs jq.
#
#   docker/seccomp.sh [PROFILE]     default: /usr/share/containers/seccomp.json (podman's)
#
# The profile goes to build/seccomp.json; its name is printed.
set -euo pipefail

profile=${1:-/usr/share/containers/seccomp.json}
repository=$(cd "$(dirname "$0")/.." && pwd)
out=$repository/build/seccomp.json

if [[ ! -r $profile ]]; then
    echo "no profile at $profile: name the one of your engine" >&2
    exit 1
fi
mkdir -p "$repository/build"
jq '
    # Rules that speak of bpf() go on without it ...
    .syscalls |= (map(.names -= ["bpf"]) | map(select(.names != [])))
    # ... and one of its own takes over. What no rule allows is refused by default.
    | .syscalls += [
        {names: ["bpf"], action: "SCMP_ACT_ALLOW", includes: {caps: ["CAP_BPF"]}},
        {names: ["bpf"], action: "SCMP_ACT_ALLOW", includes: {caps: ["CAP_SYS_ADMIN"]},
         excludes: {caps: ["CAP_BPF"]}},
        {names: ["bpf"], action: "SCMP_ACT_ERRNO", errnoRet: 1, errno: "EPERM",
         excludes: {caps: ["CAP_BPF", "CAP_SYS_ADMIN"]}}
      ]' "$profile" >"$out.new"
mv "$out.new" "$out"
echo "$out"
