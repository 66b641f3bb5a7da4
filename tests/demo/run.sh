#!/bin/sh
# run.sh - `make demo`: the newest kernel boots in QEMU, and the toolkit shows its main job on a real driver under load
# SPDX-License-Identifier: GPL-2.0-only
#
# SHELL_ONLY=1 in the environment: a shell in that guest instead, with the tools on its PATH.
set -u

top=$(cd "$(dirname "$0")/../.." && pwd) || exit
newest=$(awk '!/^#/ && NF { key = $1 } END { print key }' "$top/tests/vm/kernels")

"$top/tests/deps.sh" || exit
if [ -n "${SHELL_ONLY:-}" ]; then
	echo "demo: a shell in a guest; the tools are on the PATH; 'fieldtrace' lists them; Ctrl-A X ends it" >&2
	exec "$top/tests/vm/boot.sh" -i "$newest"
fi
echo "demo: booting the newest kernel, emulated; about two minutes on an idle machine" >&2
exec "$top/tests/vm/boot.sh" -t 900 "$newest" "$top/tests/demo/guest.sh"
