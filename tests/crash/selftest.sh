#!/bin/sh
# selftest.sh - proof that judge.awk refuses what it should: a good dump, and the same one damaged in many ways; TAP
# SPDX-License-Identifier: GPL-2.0-only
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit
# shellcheck source=../tap.sh
. "$here/../tap.sh" || exit

# good FIRST LAST BITS - a dump as crashtrace prints it: operations FIRST to LAST, and BITS bits of the one after it
# (-1: not even begun), with the writes between the bits, on two CPUs in turn
good() {
	awk -v first="$1" -v last="$2" -v more="$3" '
	function record(text) {
		time += 0.000125
		printf "%16s-%-7d [%03d] .....  %11.6f: %s\n", "load", 149, cpu, time, text
	}
	function operation(n, bits,	i) {
		cpu = 1 - cpu
		record("loop_attr_do_show_offset [loop] <-dev_attr_show")
		for (i = 15; i > 15 - bits; i--) {
			record("loop_queue_rq [loop] <-blk_mq_dispatch_rq_list")
			record("loop_attr_do_show_" (int(n / power[i]) % 2 ? "dio" : "autoclear") " [loop] <-dev_attr_show")
		}
	}
	BEGIN {
		time = 20
		power[0] = 1
		for (i = 0; i < 15; i++) power[i + 1] = 2 * power[i]
		print "region      crash at 0x18000000, 1 MiB, ring, previous boot 7c1e2f40"
		for (n = first; n <= last; n++) operation(n, 16)
		if (more >= 0) operation(last + 1, more)
	}'
}

# judged WITNESS DUMP - judge.awk on it, with the verdict in the file verdict
judged() {
	awk -v witness="$1" -v functions="$work/functions" -f "$here/judge.awk" "$2" >"$work/verdict"
}

# accepts NAME WITNESS FIRST LAST BITS - a good dump is right
accepts() {
	good "$3" "$4" "$5" >"$work/dump"
	tap_ok "accepted: $1" judged "$2" "$work/dump" || tap_note "$(cat "$work/verdict")"
}

# refuses NAME WHY WITNESS FIRST LAST BITS [SED-SCRIPT] - a good dump, edited, is wrong, for a reason that matches WHY
refuses() {
	good "$4" "$5" "$6" | sed "${7-}" >"$work/dump"
	if judged "$3" "$work/dump"; then
		tap_result 1 "refused: $1"
	else
		tap_like "refused: $1" "$(cat "$work/verdict")" "^why .*($2)"
	fi
}

work=$(mktemp -d "${TMPDIR:-/tmp}/ft-crash-self.XXXXXX") || exit
trap 'rm -rf "$work"' EXIT
printf 'loop_attr_do_show_%s\n' offset dio autoclear >"$work/functions"
echo loop_queue_rq >>"$work/functions"

accepts 'the last operation is complete' 40 1 40 -1
accepts 'the next is announced, not begun' 41 1 40 -1
accepts 'the next has begun' 41 1 40 0
accepts 'the next is half done' 41 1 40 9
accepts 'rings that have come round' 1201 1 1200 3
accepts 'rings that have come round, the first operations gone' 1201 37 1200 3
refuses 'an operation is missing at the end' 'ends with operation 40, the witness with 42' 42 1 40 -1
refuses 'an operation and a part are missing' 'ends with operation 40' 43 1 40 5
refuses 'an operation that nobody announced' 'has not heard of' 40 1 40 5
refuses 'the trace is ahead of the witness' 'witness with 39' 39 1 40 -1
# shellcheck disable=SC2016 # $ is sed's
refuses 'the last operation is another' 'is spelled' 41 1 40 9 '$s/autoclear/dio/'
refuses 'the oldest are missing, and no ring is full' 'oldest operation is 5' 40 5 40 -1
# Operation 16 begins in line 497; then a write and a bit take turns.
refuses 'a hole of some operations' 'is followed by|bits|too long' 40 1 40 -1 500,640d
refuses 'one bit missing' bits 40 1 40 -1 501d
refuses 'one bit twice' 'too long' 40 1 40 -1 501p
refuses 'one bit missing, rings full' bits 1200 1 1200 -1 30003,30004d
refuses 'a name that is no function of the module' 'cannot be right' 40 1 40 -1 '600s/loop_[a-z_]*/loop_init/'
refuses 'a caller that cannot be' 'cannot be right' 40 1 40 -1 '600,603s/dev_attr_show/dev_attr_store/'
refuses 'a record without its module' 'cannot be right' 40 1 40 -1 '600s/ \[loop\]//'
refuses 'addresses for names' 'cannot be right' 40 1 40 -1 's/: loop.* <-.*/: 0xffffffffc0a91000 <-0xffffffff94200000/'
# shellcheck disable=SC2016 # the same
refuses 'nothing in it' 'no record' 40 1 40 -1 '2,$d'
tap_done
