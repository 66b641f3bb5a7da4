#!/bin/sh
# slowdown.sh - measure: a workload on XFS while funccount counts the file system's functions, by each engine
# SPDX-License-Identifier: GPL-2.0-only
# guest: 6.12 1 0
# shellcheck source=lib.sh
. /tests/bench/lib.sh

ROUNDS=${ROUNDS:-30}

# rounds N - N times: create, write, read and remove ten files
rounds() {
	local n i line
	n=0
	while [ "$n" -lt "$1" ]; do
		for i in 0 1 2 3 4 5 6 7 8 9; do
			printf 'file %s of this round\n' "$i" >"$XFS/w$i"
			read -r line <"$XFS/w$i"
		done
		/bb/rm -f "$XFS"/w?
		n=$((n + 1))
	done
}

# worked TEXT -> $took: us of the guest's one CPU until the work was done, with whatever ran beside it
worked() {
	local start
	now_us
	start=$now_us
	rounds "$ROUNDS"
	now_us
	took=$((now_us - start))
	say "$1: $took us"
}

# under TEXT WAIT COMMAND... -> $took: the work while COMMAND runs; it ends with INT
under() {
	local text wait tries
	text=$1 wait=$2
	shift 2
	in_background "$@" >"$T/out" 2>"$T/err"
	tries=0
	# Some say so on stdout, others on stderr.
	until grep -q "$wait" "$T/out" "$T/err" 2>/dev/null || [ "$tries" -gt 300 ]; do
		tries=$((tries + 1))
		sleep 1
	done
	# perf-tools' says so before it sets up.
	sleep 10
	worked "$text"
	kill -INT "-$bg_pid"
	wait "$bg_pid" 2>/dev/null
	tail -n 2 "$T/err" | sed 's/^/#   /'
}

# engine NAME PATTERN [OPTION...] -> $took
engine() {
	local name pattern
	name=$1 pattern=$2
	shift 2
	under "funccount -e $name '$pattern'" Tracing env "PATH=$BUSYBOX_PATH" /bb/ash "$FTDIR/bin/funccount" -e "$name" "$@" "$pattern"
	ratio "$took" "$free"
}

# autogroup VALUE - whether sessions share a CPU evenly, whatever their nice values: a Debian kernel does it, few boards do
autogroup() {
	[ ! -e /proc/sys/kernel/sched_autogroup_enabled ] || echo "$1" >/proc/sys/kernel/sched_autogroup_enabled
}

xfs_mount
rounds 2
worked untraced
free=$took
profiler=''
[ ! -e "$TRACEFS/function_profile_enabled" ] || profiler=profile
# Few functions, where kprobes count: each engine, and whether funccount takes the fastest; all the module's: those that can.
few='xfs_buf_*:mod:xfs'
say "$few: $(grep -c '^xfs_buf_.*\[xfs\]' "$TRACEFS/available_filter_functions") functions"
best=''
for name in trace kprobe $profiler; do
	engine "$name" "$few"
	row "a workload on XFS under funccount -e $name '$few'" 'untraced (times as long)' "$ratio" '<=' -
	[ "$best" ] && [ "$best" -le "$took" ] || best=$took
	eval "few_$name=\$took"
done
env "PATH=$BUSYBOX_PATH" /bb/ash "$FTDIR/bin/funccount" -v -d 0.1 "$few" >"$T/out" 2>"$T/err"
chosen=$(sed -n 's/^engine: \([a-z]*\).*/\1/p' "$T/err")
eval "took=\$few_$chosen"
ratio "$took" "$best"
row "the engine that is chosen for '$few', $chosen" 'the fastest one' "$ratio" '<=' 1
for group in 1 0; do
	autogroup "$group"
	text="funccount :mod:xfs (trace; autogroup $group)"
	engine trace :mod:xfs
	all=$took
	row "a workload on XFS under $text" 'untraced (times as long)' "$ratio" '<=' -
	under 'trace-cmd record -p function -l :mod:xfs' 'Hit Ctrl' env "PATH=$DEBIAN_PATH" trace-cmd record -o /tmp/t.dat -p function -l ':mod:xfs'
	trace_cmd=$took
	ratio "$all" "$took"
	row "a workload on XFS under $text" 'under trace-cmd record of the same functions' "$ratio" '<=' 1
done
if [ "$profiler" ]; then
	engine profile :mod:xfs
	profile=$took
	row 'a workload on XFS under funccount :mod:xfs (profile)' 'untraced (times as long)' "$ratio" '<=' -
	ratio "$profile" "$trace_cmd"
	row 'a workload on XFS under funccount :mod:xfs (profile)' 'under trace-cmd record of the same functions' "$ratio" '<=' 1
	# Written into the filter as it is, it takes the same functions.
	for pattern in :mod:xfs "$few"; do
		under "funccount-perf '$pattern'" Tracing env "PATH=$DEBIAN_PATH" bash /usr/sbin/funccount-perf "$pattern"
		theirs=$took took=$profile
		[ "$pattern" = :mod:xfs ] || eval "took=\$few_$chosen"
		ratio "$took" "$theirs"
		row "a workload on XFS under funccount '$pattern'" "under perf-tools' funccount" "$ratio" '<=' 1
	done
else
	skipped 'a workload on XFS under funccount :mod:xfs (profile)' 'no function profiler in this kernel'
fi
