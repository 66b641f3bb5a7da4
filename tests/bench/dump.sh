#!/bin/sh
# dump.sh - measure: how long the dump of a full 4 MiB region takes, against trace-cmd report and the kernel's own text
# SPDX-License-Identifier: GPL-2.0-only
# guest: 6.12 1 0 reserve_mem=4M:4096:trace trace_instance=crash^traceoff@trace
# shellcheck source=lib.sh
. /tests/bench/lib.sh

# crash ARG... - crashtrace, its cost as of cost()
crash() {
	local word
	word=$1
	shift
	cost env "PATH=$BUSYBOX_PATH" /bb/ash "$FTDIR/bin/crashtrace" "$word" -S /tmp/state "$@"
	say "crashtrace $word $*: $c_cpu us, status $c_rc, $(wc -l <"$T/out") lines"
}

# More symbols, as on a machine in use.
need_module xfs
need_module ext4
# A region holds some 160,000 calls.
crash arm read_zero write_null
/bb/dd if=/dev/zero of=/dev/null bs=1 count=150000 2>/dev/null
# As a reset leaves it: nothing recording, and armed by no one of this boot. Disarming would wipe it.
echo 0 >"$TRACEFS/instances/crash/tracing_on"
rm /tmp/state/armed
say "$(wc -l </proc/kallsyms) symbols"
cost cat "$TRACEFS/instances/crash/trace"
text=$c_cpu
say "cat trace: $text us, $(wc -l <"$T/out") lines"
crash dump
ours=$c_cpu
head -n 30 "$T/out" | sed 's/^/#   /'
crash dump -a
whole=$c_cpu
crash dump -F trace.dat -o /tmp/region.dat
cost /usr/bin/trace-cmd report /tmp/region.dat
say "trace-cmd report: $c_cpu us, status $c_rc, $(wc -l <"$T/out") lines"
ratio "$c_cpu" "$ours" 1
row 'crashtrace dump of a full 4 MiB region' 'trace-cmd report of the same data (times faster)' "$ratio" '>=' 10
ratio "$text" "$ours" 1
row 'crashtrace dump of a full 4 MiB region' "the kernel's cat trace (times faster)" "$ratio" '>=' 3
ratio "$text" "$whole" 1
row 'crashtrace dump -a, every record' "the kernel's cat trace (times faster)" "$ratio" '>=' -
