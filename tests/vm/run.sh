#!/bin/sh
# run.sh [-k KEY,...] [-p PASS,...] [-c FILE[:CASE-GLOB],...] [-t TOPIC] [-A] [-n] [OPTION...] - the cases on real kernels
# SPDX-License-Identifier: GPL-2.0-only
#
#   -k  only these kernels of tests/vm/kernels          -p  only these passes of tests/vm/passes (SHELL+AWK)
#   -t  only the cases that concern this command        -A  the full cross product, not the plan's share; the long cases too
#   -c  only the cases of tests/vm/cases/FILE.sh, or those of them that match (case_ may be left out), in every guest
#   -n  print which case runs where, and run nothing    -j  guests at a time (one more than there are processors)
#   -v  show what passing cases print, and times        -d  take the cases from this folder of the checkout
#   -l  where logs go (a new folder in $TMPDIR)         -S  end a guest that is silent for so long (120 s beyond a case's limit)
#   -a  more words for the kernels' command lines; NAME=VALUE is a variable of the cases: STORM_RUNS=200, K_LONG=1
#
# TAP on stdout as it comes, progress on stderr, at the end "N passed, N failed, N skipped". Exit 0 only when nothing
# failed and something was run. A guest that hangs, dies or does not start is a failure that names its case and console log.
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
	sed -n '2,14{/SPDX/d;s/^# \{0,1\}//p;}' "$0"
}

# guests - every guest of the two tables, a line each: key, pass, kind (plan.awk), path
guests() {
	local newest oldest key shell awk path kernels kind extra
	# shellcheck disable=SC2046 # keys: one word each
	set -- $(kernel_keys)
	oldest=$1
	newest=$(kernel_keys | tail -n 1)
	extra=
	while read -r shell awk path kernels; do
		case $shell in
		'' | '#'*) continue ;;
		esac
		# Those that have to be built are there when they are named.
		for key in $(kernel_keys old linux-source | tac); do
			[ "$kernels" = all ] || [ "$key" = "$newest" ] || continue
			kind=whole
			if [ "$extra" ]; then
				kind=share
			elif [ "$key" = "$oldest" ]; then
				kind=first
			elif [ "$key" != "$newest" ] && kernel_keys | grep -qx "$key"; then
				kind=part
			elif [ "$key" != "$newest" ] && kernel_keys old | grep -qx "$key"; then
				kind=old
			fi
			printf '%s %s %s %s\n' "$key" "$shell+$awk" "$kind" "$path"
		done
		extra=yes
	done <"$vmdir/passes"
}

# without_old - $logs/plan without the old kernels that are not here: each of them is one skip, in $logs/KEY/job.log as well
without_old() {
	local key rest why
	mv "$logs/plan" "$logs/all" && : >"$logs/plan"
	# shellcheck disable=SC2013 # keys
	for key in $(cut -d ' ' -f 1 "$logs/all" | sort -u); do
		kernel_line "$key"
		if [ "$package" = old ] && ! why=$(old_image "$key"); then
			mkdir -p "$logs/$key"
			printf 'ok 1 - %s # SKIP %s\n1..1\n' "$key" "$why" | tee "$logs/$key/job.log"
		else
			grep "^$key " "$logs/all" >>"$logs/plan"
		fi
	done
}

# case_list - the cases there are, as cases.awk prints them; with -t those that concern the topic
case_list() {
	awk -v OFS='\t' -f "$vmdir/cases.awk" "$cases"/*.sh |
		awk -F '\t' -v topic="$topic" 'topic == "" || index(" " $7 " ", " " topic " ")'
}

# chosen - of "KEY PASS FILE:CASE" lines those that -k, -p and -c ask for
chosen() {
	# A key that has to be built is there when it is named.
	# shellcheck disable=SC2046 # keys: one word each
	keys=${keys:-$(printf '%s,' $(kernel_keys old))} passes=$passes select=$select awk '
	function listed(word, list,   w, i, n) {
		if (list == "") return 1
		n = split(list, w, ",")
		for (i = 1; i <= n; i++) if (w[i] == word) return 1
		return 0
	}
	BEGIN {
		n = split(ENVIRON["select"], want, ",")
		for (i = 1; i <= n; i++) {
			file[i] = glob[i] = want[i]
			if (!sub(/^[^:]*:/, "", glob[i])) glob[i] = "*"
			sub(/:.*/, "", file[i])
			gsub(/[^A-Za-z0-9_*?]/, "", glob[i])
			gsub(/[*]/, ".*", glob[i]); gsub(/[?]/, ".", glob[i])
			glob[i] = "^(case_)?" glob[i] "$"
		}
	}
	{
		fn = $3
		sub(/:.*/, "", fn)
		name = substr($3, length(fn) + 2)
		ok = n == 0
		for (i = 1; i <= n && !ok; i++) ok = file[i] == fn && name ~ glob[i]
	}
	ok && listed($1, ENVIRON["keys"]) && listed($2, ENVIRON["passes"])'
}

# plan [table] - which case runs where, "KEY PASS FILE:CASE" a line; or the whole plan as a table
plan() {
	local mode
	mode=plan
	[ ! "$select" ] || mode=each
	[ ! "$all" ] || mode=all
	guests >"$logs/guests" && case_list >"$logs/cases" || return
	if [ "${1:-}" ]; then
		grep -v -e -built "$logs/guests" | awk -v mode=plan -v table=1 -f "$vmdir/plan.awk" - "$logs/cases"
	else
		awk -v mode="$mode" -f "$vmdir/plan.awk" "$logs/guests" "$logs/cases" | chosen
	fi
}

# boots - the guests of the plan, "KEY SHELL AWK PATH" a line, those with the most cases first
boots() {
	awk 'NR == FNR { path[$1 " " $2] = $4; next } { n[$1 " " $2]++ }
	END { for (g in n) { split(g, w, /[ +]/); print n[g], w[1], w[2], w[3], path[g] } }' "$logs/guests" "$logs/plan" | sort -k 1,1rn -k 2 | cut -d ' ' -f 2-
}

# run_guest KEY SHELL AWK PATH - boot one guest and have it run its cases; leaves job.log, its TAP
run_guest() {
	local guest rc at
	guest=$logs/$1-$2+$3
	mkdir -p "$guest"
	: >"$guest/job.log"
	rc=0
	# shellcheck disable=SC2046 # names of cases: one word each
	set -- "$1" "$vmdir/guest/runner.sh" -s "$2" -a "$3" -p "$4" ${verbose:+-v} -d "/${cases#"$top"/}" \
		$(awk -v key="$1" -v pass="$2+$3" '$1 == key && $2 == pass { print $3 }' "$logs/plan")
	# In the background, so that end_guests has its PID.
	"$vmdir/boot.sh" -l "$guest" -t 7200 -S "$silence" ${append:+-a "$append"} "$@" </dev/null &
	printf '%s\n' "$!" >"$guest/boot.pid"
	wait "$!" || rc=$?
	rm -f "$guest/boot.pid"
	[ "$rc" -ne 0 ] || return 0
	at=$(sed -n 's/^# \([a-z_]*: case_[A-Za-z0-9_]*\), at most .*/ in \1/p' "$guest/job.log" | tail -n 1)
	printf 'not ok - %s guest: status %s%s; see %s/console.log\n' "${guest##*/}" "$rc" "$at" "$guest" | tee -a "$guest/job.log"
}

# work_off - run the guests of the plan that no other worker has taken
work_off() {
	local guest
	while read -r guest; do
		[ ! -e "$logs/stop" ] || return
		mkdir "$logs/taken/$guest" 2>/dev/null || continue
		# shellcheck disable=SC2086 # the words of the line
		run_guest $guest
	done <"$logs/boots"
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
	keys='' select='' topic='' all='' table='' passes='' jobs=$(($(nproc) + 1)) verbose='' logs='' silence=120 append='' cases=$vmdir/cases
	while getopts hk:c:t:Anp:j:vl:d:S:a: opt; do
		case $opt in
		k) keys=$OPTARG ;;
		c) select=$OPTARG ;;
		t) topic=$OPTARG ;;
		A) all=yes append="VM_ALL=1${append:+ $append}" ;;
		n) table=yes ;;
		p) passes=$OPTARG ;;
		j) jobs=$OPTARG ;;
		v) verbose=yes ;;
		l) logs=$OPTARG ;;
		d) cases=$(cd "$OPTARG" && pwd) || exit ;;
		S) silence=$OPTARG ;;
		a) append="${append:+$append }$OPTARG" ;;
		h) usage && exit ;;
		*) usage >&2 && exit 2 ;;
		esac
	done
	shift $((OPTIND - 1))
	[ $# -eq 0 ] || { usage >&2 && exit 2; }
	for i in $(printf '%s\n' "$select" | tr ',' ' '); do
		[ -e "$cases/${i%%:*}.sh" ] || die "no $cases/${i%%:*}.sh"
	done
	[ "$logs" ] || logs=$(mktemp -d "${TMPDIR:-/tmp}/ft-vm.XXXXXX") || exit
	# What an earlier run left in a folder that was given.
	rm -rf "$logs/taken" "$logs/stop" "$logs"/*/job.log
	mkdir -p "$logs/taken" || exit
	if [ "$table" ]; then
		plan table
		rm -rf "$logs"
		return
	fi
	plan >"$logs/plan" || exit
	if [ ! -s "$logs/plan" ]; then
		note 'no such kernel, pass or case'
		tap_total
		return
	fi
	without_old && boots >"$logs/boots" || exit
	# shellcheck disable=SC2046 # keys: one word each
	"$vmdir/fetch.sh" $(cut -d ' ' -f 1 "$logs/boots" | sort -u) >/dev/null || exit
	# It goes into the guests along with the commands, and a stale one knows other options than they use.
	make -s -C "$top/helper" helper >&2 || die 'the helper cannot be built'
	note "$(wc -l <"$logs/plan") cases in $(wc -l <"$logs/boots") guests, $jobs at a time; logs in $logs"
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
