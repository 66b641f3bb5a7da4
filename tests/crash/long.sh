#!/bin/sh
# long.sh [-k KEY] [-n N] [-l DIR] - N (50) presses of the reset button in a row, each at a random moment, on one kernel
# SPDX-License-Identifier: GPL-2.0-only
#
# Every trace is dumped in the next boot, which then arms again. TAP, then the figures of each reset; KEY is 7 unless
# said. About half a minute for each reset.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit
# shellcheck source=common.sh
. "$here/common.sh" || exit

# repeat WORD N - WORD, N times
repeat() {
	awk -v word="$1" -v n="$2" 'BEGIN { while (n-- > 0) print word }'
}

main() {
	local opt key count dir
	key=7 count=50 dir=''
	while getopts hk:n:l: opt; do
		case $opt in
		k) key=$OPTARG ;;
		n) count=$OPTARG ;;
		l) dir=$OPTARG ;;
		h) sed -n '2,6{/SPDX/d;s/^# \{0,1\}//p;}' "$0" && exit ;;
		*) sed -n '2s/^# //p' "$0" >&2 && exit 2 ;;
		esac
	done
	case $key in 5.10 | 6.1 | 6.12 | 7) ;; *) die "no kernel '$key'" ;; esac
	case $count in *[!0-9]* | '' | 0*) die "-n takes a number, not '$count'" ;; esac
	open_logs "$dir"
	{
		# shellcheck disable=SC2046 # words
		crash_guest "$logs" "$key" $(repeat button "$count")
		tap_done
	} | tee "$logs/tap"
	table "$logs/table"
	summary "$logs/table"
	tap_total "$logs/tap"
}

main "$@"
