#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Usage: enter.sh ROOT COMMAND [ARGUMENT...]
# Runs a command with ROOT's programs and libraries in place of the machine's. All else is the machine's own: its
# folders, devices, processes, network and user. Bubblewrap itself comes out of ROOT, so the machine needs nothing.
set -euo pipefail

root="$1"
shift

mounts=(--ro-bind "$root/usr" /usr --ro-bind "$root/etc" /etc)
for link in bin lib lib64 sbin; do
  mounts+=(--symlink "usr/$link" "/$link")
done

# proc is bound, not mounted anew: a container that hides parts of it lets nobody mount another.
mounts+=(--dev-bind /dev /dev --bind /proc /proc --ro-bind /sys /sys --bind-try /usr/src /usr/src)

for entry in /*; do
  case "${entry#/}" in
    bin | boot | dev | etc | lib | lib32 | lib64 | libx32 | lost+found | proc | sbin | sys | usr) ;;
    *)
      if [[ -L "$entry" ]]; then
        mounts+=(--symlink "$(readlink "$entry")" "$entry")
      else
        mounts+=(--bind-try "$entry" "$entry")
      fi
      ;;
  esac
done

# The machine's say in who one is, where names resolve, whom to trust, and where packages come from.
for file in resolv.conf hosts passwd group pip.conf apt ssl/certs/ca-certificates.crt; do
  mounts+=(--ro-bind-try "/etc/$file" "/etc/$file")
done

# Bubblewrap takes a root user's capabilities away unless told not to; with them gone, root could not write where it
# can outside.
if [[ "$EUID" == 0 ]]; then
  mounts+=(--cap-add ALL)
fi

# Variables that speak of the machine's programs, not of ROOT's.
environment=(--setenv PATH /usr/bin:/usr/sbin --setenv LC_ALL C.UTF-8)
for variable in JAVA_HOME LD_LIBRARY_PATH LD_PRELOAD PYTHONHOME PYTHONPATH; do
  environment+=(--unsetenv "$variable")
done

# Bazel insists on a name for its user, whom a container may not know.
export USER="${USER:-$(id -u)}"

libraries="$root/usr/lib/x86_64-linux-gnu"
exec "$libraries/ld-linux-x86-64.so.2" --library-path "$libraries" "$root/usr/bin/bwrap" \
  "${mounts[@]}" "${environment[@]}" -- "$@"
