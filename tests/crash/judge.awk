# judge.awk - hold a dump against what the serial line heard; awk -v witness=W -v functions=FILE -f judge.awk DUMP
# SPDX-License-Identifier: GPL-2.0-only
#
# DUMP holds records, oldest first, in the function tracer's look ("TASK-PID [CPU] FLAGS TIME: FUNCTION [MODULE]
# <-CALLER"); other lines are passed over. The numbers of the operations are spelled in it as load.c says. FILE names
# the functions of the module, one a line.
#
# Prints "KEY VALUE" lines: records, first and last (complete operations), partial (bits of the one that the reset cut
# short), gaps (numbers that do not follow the one before), behind (how many operations the trace ends before the
# witness's last), strange (records whose names cannot be right), and a "why TEXT" for each thing wrong. Status 0 when
# nothing is.

# Every CPU has a ring of its own, which forgets at its own pace. So DUMP is read twice: what is older than the oldest
# record of a ring that is full is left out, because there it may be that half of an operation is gone.

BEGIN {
	bits = 16
	# A ring of 1 MiB for two CPUs holds at least so many before it begins to forget.
	full = 15000
	while ((getline name <functions) > 0) known[name] = 1
	first = last = -1
	seen = -1
	ARGV[2] = ARGV[1]
	ARGC = 3
}

# Is this line a record? Sets fn, owner, caller, cpu and time.
function record(	at) {
	if (!match($0, /[0-9]+(\.[0-9]+)?: [^ ]+( \[[^]]*\])? *<- *[^ ]/)) return 0
	at = substr($0, RSTART)
	time = at + 0
	sub(/^[^ ]* /, "", at)
	cpu = substr($0, 1, RSTART - 1)
	if (!match(cpu, /\[[0-9]+\] /)) return 0
	cpu = substr(cpu, RSTART + 1, RLENGTH - 3) + 0
	caller = at
	sub(/.*<- */, "", caller)
	sub(/ *<-.*/, "", at)
	owner = ""
	if (match(at, / \[/)) {
		owner = substr(at, RSTART + 2)
		sub(/\]$/, "", owner)
		at = substr(at, 1, RSTART - 1)
	}
	fn = at
	return 1
}

function wrong(text) {
	if (nwrong++ < 8) print "why " text
}

# Only functions of the module were recorded, and the attributes have one caller each, in the kernel itself.
function check_names() {
	if (owner != "loop" || !(fn in known) || fn ~ /^loop_attr_do_show/ && caller !~ /^dev_attr_show(\+|$)/) {
		strange++
		if (strange == 1) wrong("record " records " has names that cannot be right: " $0)
	}
}

# An operation is complete.
function complete(n) {
	if (first < 0) first = n
	# The number has 16 bits.
	else if (n != (last + 1) % 65536) {
		gaps++
		wrong("operation " last " is followed by " n)
	}
	last = n
}

!record() { next }

NR == FNR {
	records++
	if (!(cpu in count)) oldest[cpu] = time
	if (++count[cpu] == full && oldest[cpu] > since) since = oldest[cpu]
	check_names()
	next
}

time >= since {
	if (fn == "loop_attr_do_show_offset") {
		# The ring's oldest record may be in the middle of an operation: seen is -1 until the first beginning.
		if (seen > 0 && seen < bits) { gaps++; wrong("operation after " last " has " seen " bits") }
		seen = value = 0
		spelled = ""
	} else if (fn == "loop_attr_do_show_dio" || fn == "loop_attr_do_show_autoclear") {
		if (seen < 0) next
		if (seen == bits) { gaps++; wrong("operation " last " goes on for too long"); next }
		value = value * 2 + (fn == "loop_attr_do_show_dio")
		spelled = spelled (fn == "loop_attr_do_show_dio")
		if (++seen == bits) complete(value)
	}
}

# binary N - as load.c spells it
function binary(n,	text, i) {
	for (i = 0; i < bits; i++) {
		text = n % 2 text
		n = int(n / 2)
	}
	return text
}

END {
	partial = seen >= 0 && seen < bits ? seen : 0
	begun = seen >= 0 && seen < bits
	if (!records) wrong("no record")
	else if (last < 0) wrong("no complete operation")
	else {
		behind = witness - last
		if (!since && first != 1) wrong("no ring is full, but the oldest operation is " first)
		# Operation W may be complete (0 behind), under way, or not yet begun (1 behind).
		if (behind < 0 || behind > 1) wrong("the trace ends with operation " last ", the witness with " witness)
		if (begun && behind != 1) wrong("operation " last + 1 " is in the trace, which the witness has not heard of")
		if (begun && substr(binary(last + 1), 1, seen) != spelled) wrong("the last operation is spelled " spelled)
	}
	printf "records %d\nfirst %d\nlast %d\npartial %d\nbehind %d\ngaps %d\nstrange %d\n", records, first, last, partial, behind, gaps, strange
	exit nwrong > 0
}
