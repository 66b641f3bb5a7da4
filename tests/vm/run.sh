#!/bin/sh
# run.sh [-k KEY,...] [-c FILE[:CASE-GLOB]] [-p SHELL+AWK,...] [-j N] [-v] [-l DIR] [-d DIR] [-S SECS] [-a WORDS] - the cases on real kernels
# SPDX-License-Identifier: GPL-2.0-only
#
#   -k  only these kernels of tests/vm/kernels          -p  only these passes of tests/vm/passes
#   -c  only the cases of tests/vm/cases/FILE.sh, or those of them that match (case_ may be left out)
#   -j  guests at a time (2)                            -v  show what passing cases print, and times
#   -l  where logs go (a new folder in $TMPDIR)         -d  take the cases from this folder of the checkout
#   -S  end a guest that is silent for so long (the longest limit of a case and two minutes)
#   -a  more words for the kernels' command lines; NAME=VALUE is a variable of the cases: STORM_RUNS=200, K_LONG=1
#
# TAP on stdout as it comes, progress on stderr, at the end "N passed, N failed, N skipped". Exit 0 only when nothing
# failed and something was run. A guest that hangs, dies or does not start is a failure that names its console log.
set -u

vmdir=$(cd "$(dirname "$0")" && pwd) || exit
# shellcheck source=common.sh
. "$vmdir/common.sh" || exit
# shellcheck source=../tap.sh
. "$top/tests/tap.sh" || exit
# shellcheck source=old.sh
. "$vmdir/old.sh" || exit

# usage - the head of this file
usage() {
	sed -n '2,13{/SPDX/d;s/^# \{0,1\}//p;}' "$0"
}

# in_list WORD LIST - is it in the list, its words split by commas? An empty list has every word.
in_list() {
	case ",${2:-$1}," in
	*",$1,"*) return 0 ;;
	esac
	return 1
}

# plan - the guests to boot, one a line: key, shell, awk, path, "x" for an extra pass or "-". Newest kernel first: it
# has the most to do.
plan() {
	local newest key shell awk path kernels extra
	newest=$(kernel_keys | tail -n 1)
	extra=-
	while read -r shell awk path kernels; do
		case $shell in
		'' | '#'*) continue ;;
		esac
		# Those that have to be built are there when they are named.
		for key in $(kernel_keys old ${keys:+linux-source} | tac); do
			[ "$kernels" = all ] || [ "$key" = "$newest" ] || continue
			in_list "$key" "$keys" || continue
			in_list "$shell+$awk" "$passes" || continue
			printf '%s %s %s %s %s\n' "$key" "$shell" "$awk" "$path" "$extra"
		done
		# In the long form they run the cases marked "# once" as well.
		[ "${VM_ALL:-}" ] || extra=x
	done <"$vmdir/passes"
}

# without_old - $logs/plan without the old kernels that are not here: each of them is one skip, in $logs/KEY/job.log as well
without_old() {
	local key rest why
	mv "$logs/plan" "$logs/all" && : >"$logs/plan"
	while read -r key rest; do
		kernel_line "$key"
		if [ "$package" != old ] || why=$(old_image "$key"); then
			printf '%s %s\n' "$key" "$rest" >>"$logs/plan"
		elif [ ! -e "$logs/$key/job.log" ]; then
			mkdir -p "$logs/$key"
			printf 'ok 1 - %s # SKIP %s\n1..1\n' "$key" "$why" | tee "$logs/$key/job.log"
		fi
	done <"$logs/all"
}

# longest_limit - the longest time that a case may take, plus the harness's own share
longest_limit() {
	local file
	for file in "$cases"/*.sh; do
		# What only the long form runs may take an hour.
		[ "${VM_ALL:-}" ] || ! grep -q '^# requires: .*VM_ALL' "$file" || continue
		cat "$file"
	done | awk '/^\t?# limit: / { if ($3 + 0 > most) most = $3 + 0 } END { print (most > 120 ? most : 120) + 120 }'
}

# run_guest KEY SHELL AWK PATH EXTRA - boot one guest and have it run the cases; leaves job.log, its TAP
run_guest() {
	local guest rc
	guest=$logs/$1-$2+$3
	mkdir -p "$guest"
	: >"$guest/job.log"
	rc=0
	set -- "$1" "$vmdir/guest/runner.sh" -s "$2" -a "$3" -p "$4" ${verbose:+-v} -d "/${cases#"$top"/}" \
		"$([ "$5" = x ] && echo -x || echo --)" ${select:+"$select"}
	# In the background, so that end_guests has its PID.
	"$vmdir/boot.sh" -l "$guest" -t 7200 -S "$silence" ${append:+-a "$append"} "$@" </dev/null &
	printf '%s\n' "$!" >"$guest/boot.pid"
	wait "$!" || rc=$?
	rm -f "$guest/boot.pid"
	[ "$rc" -eq 0 ] ||
		printf 'not ok - %s guest: status %s; see %s/console.log\n' "${guest##*/}" "$rc" "$guest"
}

# work_off - run the guests of the plan that no other worker has taken
work_off() {
	local guest
	while read -r guest; do
		[ ! -e "$logs/stop" ] || return
		mkdir "$logs/taken/$guest" 2>/dev/null || continue
		# shellcheck disable=SC2086 # the words of the line
		run_guest $guest
	done <"$logs/plan"
}

# end_guests - after a signal: end the guests that are running, start no more
end_guests() {
	local file
	: >"$logs/stop"
	for file in "$logs"/*/boot.pid; do
		[ ! -e "$file" ] || kill "$(cat "$file")" 2>/dev/null
	done
	wait
}

main() {
	local opt jobs i
	keys='' select='' passes='' jobs=2 verbose='' logs='' silence='' append='' cases=$vmdir/cases
	while getopts hk:c:p:j:vl:d:S:a: opt; do
		case $opt in
		k) keys=$OPTARG ;;
		c) select=$OPTARG ;;
		p) passes=$OPTARG ;;
		j) jobs=$OPTARG ;;
		v) verbose=yes ;;
		l) logs=$OPTARG ;;
		d) cases=$(cd "$OPTARG" && pwd) || exit ;;
		S) silence=$OPTARG ;;
		a) append=$OPTARG ;;
		h) usage && exit ;;
		*) usage >&2 && exit 2 ;;
		esac
	done
	shift $((OPTIND - 1))
	[ $# -eq 0 ] || { usage >&2 && exit 2; }
	[ ! "$select" ] || [ -e "$cases/${select%%:*}.sh" ] || die "no $cases/${select%%:*}.sh"
	[ "$logs" ] || logs=$(mktemp -d "${TMPDIR:-/tmp}/ft-vm.XXXXXX") || exit
	# What an earlier run left in a folder that was given.
	rm -rf "$logs/taken" "$logs/stop" "$logs"/*/job.log
	mkdir -p "$logs/taken" && plan >"$logs/plan" || exit
	[ -s "$logs/plan" ] || die 'no such kernel or pass'
	without_old || exit
	# shellcheck disable=SC2046 # keys: one word each
	"$vmdir/fetch.sh" $(cut -d ' ' -f 1 "$logs/plan" | sort -u) >/dev/null || exit
	# It goes into the guests along with the commands, and a stale one knows other options than they use.
	make -s -C "$top/helper" helper >&2 || die 'the helper cannot be built'
	note "booting $(wc -l <"$logs/plan") guests, $jobs at a time; logs in $logs"
	[ "$silence" ] || silence=$(longest_limit)
	trap end_guests EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	i=0
	while [ "$i" -lt "$jobs" ]; do
		work_off &
		i=$((i + 1))
	done
	wait
	trap - EXIT
	tap_total "$logs"/*/job.log
}

main "$@"
