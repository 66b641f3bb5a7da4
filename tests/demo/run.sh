#!/bin/sh
# run.sh - `make demo`: the newest kernel boots in QEMU, and the toolkit shows its main jobs on a real driver under load
# SPDX-License-Identifier: GPL-2.0-only
#
# The second half: crashtrace records, we press QEMU's reset button, the guest boots again and dumps.
# SHELL_ONLY=1 in the environment: a shell in that guest instead, with the tools on its PATH.
set -u

top=$(cd "$(dirname "$0")/../.." && pwd) || exit
newest=$(awk '!/^#/ && NF { key = $1 } END { print key }' "$top/tests/vm/kernels")

"$top/tests/deps.sh" || exit
if [ -n "${SHELL_ONLY:-}" ]; then
	echo "demo: a shell in a guest; the tools are on the PATH; 'fieldtrace' lists them; Ctrl-A X ends it" >&2
	exec "$top/tests/vm/boot.sh" -i "$newest"
fi

here=$top/tests/crash
# shellcheck source=../crash/common.sh
. "$here/common.sh" || exit

# press_in_demo DIR - the reset button, a moment after the guest has said so
press_in_demo() {
	until grep -q 'presses the reset button' "$1/job.log"; do
		sleep 0.2
	done
	sleep 3
	printf '%s\n' '{"execute":"system_reset"}' >&8
}

echo "demo: booting the newest kernel, emulated, twice; about three minutes on an idle machine" >&2
open_logs '' 2>/dev/null
trap 'on_exit; rm -rf "$logs"' EXIT
mke2fs -q -t ext3 "$logs/disk.img" 64M >/dev/null
presser=press_in_demo append=$(words ring '') limit=1200 extra=''
bold=
[ ! -t 1 ] || bold=bold
live_guest "$logs" "$newest" "$top/tests/demo/guest.sh" "$bold"
