#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the firmware of the README twice, the second time in an output base of its own, and compares every product byte
# by byte: nothing of the machine, the folder or the hour is in them.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target=//boards/nrf52:model_fw
other="$(mktemp -d)"

clean_up() {
  ./bazelw --output_base="$other/base" shutdown >/dev/null 2>&1 || true
  chmod -R u+w "$other" && rm -rf "$other"
}
trap clean_up EXIT

# digests BAZEL-ARGUMENT...: builds the target and lists the hash of each product.
digests() {
  ./bazelw "$@" build "$target" --noshow_progress --disk_cache= >&2
  local root
  root="$(./bazelw "$@" info execution_root 2>/dev/null)"
  ./bazelw "$@" cquery "$target" --output=files 2>/dev/null | sort | (cd "$root" && xargs sha256sum)
}

first="$(digests)"
second="$(digests --output_base="$other/base")"
if [[ "$first" != "$second" ]]; then
  printf 'the two builds differ:\n%s\n' "$(diff <(printf '%s\n' "$first") <(printf '%s\n' "$second"))" >&2
  exit 1
fi
printf 'two builds gave the same bytes:\n%s\n' "$first"
