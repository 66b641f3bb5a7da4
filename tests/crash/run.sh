#!/bin/sh
# run.sh [-k KEY] [-r KIND] [-l DIR] [-a] - traces that survive hard resets, on real kernels; TAP and a table
# SPDX-License-Identifier: GPL-2.0-only
#
#   -k KEY    only this kernel (5.10, 6.1, 6.12, 6.12-built, 7); 6.1/wc, 6.1/uc, 7/reserve_mem, 7/module: another sort of region
#   -r KIND   only this reset: button (QEMU's), sysrq-b, sysrq-c, triple (a triple fault)
#   -a        the whole matrix; without it, and without -k and -r, the few that "make test" runs
#   -l DIR    logs there (a new folder in $TMPDIR)
#
# Kernels from 6.12 record with their persistent ring buffer, older ones (and 7/module) with helper/recorder. README.md says how it is
# judged. Exit status 0 when every trace was what the witness says; the last line is "N passed, N failed, N skipped".
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit
# shellcheck source=common.sh
. "$here/common.sh" || exit

# usage - the head of this file
usage() {
	sed -n '2,13{/SPDX/d;s/^# \{0,1\}//p;}' "$0"
}

# plan - the guests to run, lines of KEY and the resets of that guest
plan() {
	if [ ! "$key$kind$all" ]; then
		echo 7 button sysrq-b
		echo 5.10 button
		return
	fi
	# A triple fault wants a word on the kernel's command line, which makes the other resets triple faults too.
	for k in ${key:-5.10 6.1 6.12 7}; do
		case $kind in
		'') printf '%s\n' "$k button sysrq-b sysrq-c" "$k triple" ;;
		*) echo "$k $kind" ;;
		esac
	done
	# Other memory types, another way to have a region, and pstore in a kernel that is built for it: once each.
	[ "$key$kind" ] || printf '%s\n' '6.12-built button sysrq-b' '5.10/wc button' '6.1/uc button' '6.12/reserve_mem button' '7/reserve_mem sysrq-b' \
		'7/module button sysrq-b'
}

main() {
	local opt key kind all dir line
	key='' kind='' all='' dir=''
	while getopts hk:r:l:a opt; do
		case $opt in
		k) key=$OPTARG ;;
		r) kind=$OPTARG ;;
		l) dir=$OPTARG ;;
		a) all=1 ;;
		h) usage && exit ;;
		*) usage >&2 && exit 2 ;;
		esac
	done
	shift $((OPTIND - 1))
	[ $# = 0 ] || { usage >&2 && exit 2; }
	case $key in '' | 5.10 | 6.1 | 6.12 | 6.12-built | 7 | */wc | */uc | */reserve_mem | */module) ;; *) die "no kernel '$key'" ;; esac
	case $kind in '' | button | sysrq-b | sysrq-c | triple) ;; *) die "no kind of reset '$kind'" ;; esac
	open_logs "$dir"
	plan >"$logs/plan" || exit
	{
		while read -r line; do
			# shellcheck disable=SC2086 # words
			crash_guest "$logs" $line
		done <"$logs/plan"
		tap_done
	} | tee "$logs/tap"
	table "$logs/table"
	tap_total "$logs/tap"
}

main "$@"
