#!/bin/sh
# run.sh [-k KEY] [-o FILE] [MEASURE...] - take the measures (all, or those named), print a table, write FILE (bench.tsv)
# SPDX-License-Identifier: GPL-2.0-only
#
# A figure that is missed fails nothing: the exit status is 1 only when a measure could not be taken. Each measure is a file
# NAME.sh of this folder whose head has a line "# guest: KERNEL CPUS SHIFT [BOOT-WORD...]", or "# guest: none" for what this
# machine can tell alone. SHIFT is that of QEMU's -icount, under which guest time follows instructions and a figure repeats.
# -k takes another kernel of tests/vm/kernels.
set -u

bench=$(cd "$(dirname "$0")" && pwd) || exit
vmdir=${bench%/bench}/vm
# shellcheck source=../vm/common.sh
. "$vmdir/common.sh" || exit

# What perf-tools' commands call, beside bash: the guest has it from Debian's packages, and not only as BusyBox applets.
GUEST_PROGRAMS="awk cat cut grep head id ls mkdir rm rmdir sed sleep sysctl tail tr uname date mount"
perf_tools='functrace-perf funccount-perf kprobe-perf tpoint-perf'

# measures - their names, in the order of the table
measures() {
	echo filter startstop stream slowdown memory arm dump recorder size growth cpus
}

# head_of MEASURE - the words of its "# guest:" line
head_of() {
	sed -n '1,6s/^# guest: //p' "$bench/$1.sh"
}

# in_guest MEASURE KERNEL CPUS SHIFT [WORD...] - boot that guest and take the measure in it; its output on stdout
in_guest() {
	local measure key cpus shift
	measure=$1 key=${kernel_wanted:-$2} cpus=$3 shift=$4
	shift 4
	set -- -a "$*"
	[ "$measure" != recorder ] || recorder_module "$key"
	[ "$shift" = - ] || set -- "$@" -q -icount -q "shift=$shift,sleep=off"
	for cpus in $(printf '%s\n' "$cpus" | tr ',' ' '); do
		"$vmdir/boot.sh" -l "$logs/$measure" -t 3600 -s "$cpus" "$@" "$key" "$bench/$measure.sh" || return
	done
}

# recorder_module KEY - build helper/recorder for that kernel, once, and have it in the guest
recorder_module() {
	local ko built
	ko=$cache/bench/$1/ftrec.ko
	if [ ! -e "$ko" ] || [ "$(find "$top/helper/recorder" -name '*.[ch]' -newer "$ko")" ]; then
		if ! built=$("$top/helper/recorder/build.sh" "$1" "$logs/ftrec"); then
			note 'measure recorder: without the module there is nothing to measure'
			return
		fi
		mkdir -p "${ko%/*}" && cp "$built" "$ko" && chmod +x "$ko" || return
	fi
	# A program like the others: into the guest with its path.
	GUEST_PROGRAMS="$GUEST_PROGRAMS $ko"
}

# take MEASURE - its rows into $logs/rows, what else it says on stderr
take() {
	local where rc
	where=$(head_of "$1")
	note "measure $1 ($where)"
	rc=0
	case $where in
	'') die "no measure '$1'; there are: $(measures)" ;;
	none) sh "$bench/$1.sh" >"$logs/$1.out" || rc=$? ;;
	*)
		# shellcheck disable=SC2086 # words
		in_guest "$1" $where >"$logs/$1.out" || rc=$?
		;;
	esac
	grep '^#' "$logs/$1.out" >&2
	[ "$rc" = 0 ] || note "$1 ended with status $rc; see $logs/$1"
	grep '^POINT' "$logs/$1.out" >>"$logs/points"
	awk -F '\t' -v OFS='\t' -v measure="$1" -v kernel="${kernel_wanted:-${where%% *}}" -f "$bench/verdict.awk" "$logs/$1.out" >>"$logs/rows"
	return "$rc"
}

# table - the rows as a table for people
table() {
	awk -F '\t' 'NR > 1 { printf "%-9s %-8s %-8s %-11s %s, against %s\n", $1, $5, $6, $7, $3, $4 }
		BEGIN { printf "%-9s %-8s %-8s %-11s %s\n", "measure", "ratio", "reach", "", "what" }' "$1"
}

main() {
	local opt out measure failed
	kernel_wanted='' out=$top/bench.tsv failed=0
	while getopts k:o:h opt; do
		case $opt in
		k) kernel_wanted=$OPTARG ;;
		o) out=$OPTARG ;;
		h) sed -n '2,9{/SPDX/d;s/^# \{0,1\}//p;}' "$0" && exit ;;
		*) exit 2 ;;
		esac
	done
	shift $((OPTIND - 1))
	# shellcheck disable=SC2046 # names
	[ $# -gt 0 ] || set -- $(measures)
	logs=$(mktemp -d "${TMPDIR:-/tmp}/ft-bench.XXXXXX") || exit
	note "logs in $logs"
	# Without the package its rows are missing, and the rest goes on.
	if command -v functrace-perf >/dev/null; then
		GUEST_PROGRAMS="$GUEST_PROGRAMS $perf_tools"
	else
		note 'perf-tools are not here (package perf-tools-unstable): rows against them are left out'
	fi
	export GUEST_PROGRAMS
	make -s -C "$top/helper" helper >&2 || note "the helper cannot be built: dumps go through the kernel's text"
	printf 'measure\tkernel\twhat\tagainst\tratio\treach\tmet\tcommand\n' >"$logs/rows"
	for measure; do
		take "$measure" || failed=1
	done
	cp "$logs/rows" "$out"
	table "$out"
	[ ! -s "$logs/points" ] || sh "$bench/plot.sh" "$logs/points"
	return "$failed"
}

main "$@"
