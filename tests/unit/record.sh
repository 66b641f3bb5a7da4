#!/bin/sh
# record.sh KEY... - record readings of real kernels for the unit tests, into data/KEY (keys: tests/vm/kernels)
# SPDX-License-Identifier: GPL-2.0-only
#
# Boots each kernel with tests/vm/boot.sh, runs record_guest.sh in it, and writes each section of its output
# ("=== NAME" begins one) to data/KEY/NAME. Run it again only to add a reading: the tests quote figures of these files.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1

# split DIR - the sections on stdin, each to its file in DIR
split() {
	awk -v dir="$1" '
	/^=== / { if (file != "") close(file); file = dir "/" $2; printf "" >file; next }
	file != "" { print >file }'
}

main() {
	local key
	if [ $# -eq 0 ]; then
		sed -n '2s/^# //p' "$0" >&2
		return 2
	fi
	for key; do
		mkdir -p "$here/data/$key" || return 1
		"$here/../vm/boot.sh" -t 600 "$key" "$here/record_guest.sh" >"$here/data/$key/.log" || return 1
		split "$here/data/$key" <"$here/data/$key/.log" || return 1
		rm -f "$here/data/$key/.log"
	done
}

main "$@"
