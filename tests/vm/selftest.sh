#!/bin/sh
# selftest.sh [KEY] - prove that whatever should make a run on the real kernels fail does make it fail; TAP on stdout
# SPDX-License-Identifier: GPL-2.0-only
#
# The cases of tests/vm/selftest say in their description what has to become of them: PASS, SKIP REASON or FAIL REASON.
set -u

vmdir=$(cd "$(dirname "$0")" && pwd) || exit
# shellcheck source=common.sh
. "$vmdir/common.sh" || exit
# shellcheck source=../tap.sh
. "$top/tests/tap.sh" || exit

# self_run FILE [OPTION...] - run one file of cases; its stdout in $out, its exit status in $status, its log in $logs
self_run() {
	local file
	file=$1
	shift
	status=0
	logs=$work/$file
	"$vmdir/run.sh" -k "$key" -p ash+busybox -d "$vmdir/selftest" -c "$file" -l "$logs" "$@" \
		>"$work/out" 2>"$work/err" || status=$?
	out=$(cat "$work/out")
}

# verdicts - for each case of bad.sh: its name, what was wanted, what was got, split by tabs
verdicts() {
	awk -v OFS='\t' '
	function flush() { if (name != "") print name, want, got; name = "" }
	/^(not )?ok [0-9]/ {
		flush()
		got = $1 == "not" ? "FAIL" : / # SKIP / ? "SKIP" : "PASS"
		line = $0
		sub(/^.*: case_/, "", line)
		name = line; sub(/ .*/, "", name)
		want = line; sub(/^[^ ]* /, "", want)
		if (got == "SKIP") { why = want; sub(/^.* # SKIP /, "", why); got = got " " why; sub(/ # SKIP .*/, "", want) }
		# of a pass, only the word counts
		if (want ~ /^PASS/) want = "PASS"
		next
	}
	/^# / && got == "FAIL" { got = got " " substr($0, 3) }
	END { flush() }' "$work/out"
}

# check_bad - every case of bad.sh got its verdict, for its reason, and the totals say the same
check_bad() {
	local name want got
	self_run bad
	verdicts >"$work/verdicts"
	while IFS='	' read -r name want got <&3; do
		tap_is "a case: $name" "$got" "$want"
	done 3<"$work/verdicts"
	tap_is 'every case of the file was run' "$(wc -l <"$work/verdicts")" "$(grep -c '^case_' "$vmdir/selftest/bad.sh")"
	tap_is 'failing cases fail the run' "$status" 1
	tap_is 'the totals' "$(tail -n 1 "$work/out")" "$(awk -F '\t' '
		{ n[substr($2, 1, 4)]++ }
		END { printf "%d passed, %d failed, %d skipped\n", n["PASS"], n["FAIL"], n["SKIP"] }' "$work/verdicts")"
}

main() {
	key=${1:-$(kernel_keys | tail -n 1)}
	work=$(mktemp -d "${TMPDIR:-/tmp}/ft-selftest.XXXXXX") || exit
	note "self-test of the harness on $key; logs in $work"
	check_bad
	self_run good
	tap_is 'a run without a failure passes' "$status $(tail -n 1 "$work/out")" '0 1 passed, 0 failed, 1 skipped'
	self_run dies
	tap_is 'a guest that dies fails the run' "$status" 1
	tap_like 'and says in which case, and where to look' "$out" "^not ok .* guest: status 126 in dies: case_dies; see $logs/.*console.log"
	self_run hangs -S 20
	tap_is 'a guest that hangs fails the run' "$status" 1
	tap_like 'and says in which case, and where to look' "$out" "^not ok .* guest: status 124 in hangs: case_hangs; see $logs/.*console.log"
	kill -0 "$(cat "$logs"/*/guest.pid)" 2>/dev/null
	tap_is 'and is gone' "$?" 1
	self_run good -c good:nosuch
	tap_is 'a run of no case fails' "$status $(tail -n 1 "$work/out")" '1 0 passed, 0 failed, 0 skipped'
	tap_done
}

main "$@"
