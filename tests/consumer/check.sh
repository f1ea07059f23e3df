#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds and tests this workspace as a product team would: as a module, then once more without modules.
# Arguments go to both calls of Bazel, for instance --disk_cache=DIR.
set -euo pipefail

cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
bazelw=../../bazelw

"$bazelw" test "$@" //...
"$bazelw" test --noenable_bzlmod --enable_workspace "$@" //...
