#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Python that installs the wheels: the one that strict actions find too, so that the wheels fit the interpreter that
# imports them. compatibility/ gives back what the pinned installer needs and newer Pythons lack.
PATH=/bin:/usr/bin:/usr/local/bin
PYTHONPATH="$(dirname "$0")/compatibility:$PYTHONPATH"
export PATH PYTHONPATH
exec python3 "$@"
