#!/bin/sh
# size.sh - measure: the largest bundled command, and the whole kit as it is copied to a target, with the static helper
# SPDX-License-Identifier: GPL-2.0-only
# guest: none
set -u

top=$(cd "$(dirname "$0")/../.." && pwd) || exit

# row WHAT AGAINST FIGURE OP REACH
row() {
	printf 'ROW\t%s\t%s\t%s\t%s\t%s\n' "$@"
}

# kib BYTES - in KiB, one digit
kib() {
	awk -v n="$1" 'BEGIN { printf "%.1f\n", n / 1024 }'
}

for file in "$top"/bin/*; do
	name=${file##*/}
	size=$("$top/tools/bundle.sh" "$name" | wc -c)
	printf '# %s, one file: %s KiB\n' "$name" "$(kib "$size")"
	row "$name as one file, KiB" '-' "$(kib "$size")" '<=' 48
done
kit=$(cat "$top"/bin/* "$top"/lib/* | wc -c)
if make -C "$top" helper-static >/dev/null 2>&1; then
	# As it is shipped: without symbols.
	cp "$top/helper/tracemem-static" "${TMPDIR:-/tmp}/tracemem.$$" && strip "${TMPDIR:-/tmp}/tracemem.$$"
	helper=$(wc -c <"${TMPDIR:-/tmp}/tracemem.$$")
	rm -f "${TMPDIR:-/tmp}/tracemem.$$"
	printf '# bin and lib: %s KiB; the static helper: %s KiB\n' "$(kib "$kit")" "$(kib "$helper")"
	row 'the whole kit with the static helper, KiB' '-' "$(kib $((kit + helper)))" '<=' 448
else
	printf 'ROW\tthe whole kit\tskipped: make helper-static fails\t-\t\t-\n'
fi
