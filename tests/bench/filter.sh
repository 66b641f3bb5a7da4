#!/bin/sh
# filter.sh - measure: how long until a module of thousands of functions is traced: our filter, by each of its ways, a loop, the kernel's :mod:
# SPDX-License-Identifier: GPL-2.0-only
# guest: 7 1 0
# shellcheck source=lib.sh
. /tests/bench/lib.sh

# Names written one by one before the rest is reckoned from them: each costs the same walk over the kernel's list.
LOOPED=${LOOPED:-1}

# marked WAY COMMAND... -> $took: us until COMMAND says "Tracing"; its stderr goes into the kernel's trace, which has a clock
marked() {
	local way
	way=$1
	shift
	echo >"$TRACEFS/trace"
	echo begin >"$TRACEFS/trace_marker"
	FIELDTRACE_FILTER=$way "$@" >"$T/out" 2>"$TRACEFS/trace_marker"
	took=$(awk '/: begin/ { t = time() } /: Tracing/ { printf "%.0f\n", (time() - t) * 1000000; exit }
		function time(    w) { split($0, w, ": "); return substr(w[1], length(w[1]) - 12) + 0 }' "$TRACEFS/trace")
	case $took in
	'')
		say "$way: no banner"
		sed -n 's/^.*tracing_mark_write: /#   /p' "$TRACEFS/trace"
		took=0
		;;
	esac
}

# loop N -> $took: us for writing the first N names, one a write
loop() {
	local name rest n start
	mkdir "$TRACEFS/instances/loop"
	now_us
	start=$now_us n=0
	while read -r name rest; do
		echo "$name" >>"$TRACEFS/instances/loop/set_ftrace_filter"
		n=$((n + 1))
		[ "$n" -lt "$1" ] || break
	done <"$T/names"
	now_us
	took=$((now_us - start))
	rmdir "$TRACEFS/instances/loop"
}

# native -> $took: us for the kernel's own write
native() {
	local start
	mkdir "$TRACEFS/instances/native"
	now_us
	start=$now_us
	echo ':mod:xfs' >"$TRACEFS/instances/native/set_ftrace_filter"
	now_us
	took=$((now_us - start))
	rmdir "$TRACEFS/instances/native"
}

need_module xfs
grep '\[xfs\]' "$TRACEFS/available_filter_functions" >"$T/names"
count=$(wc -l <"$T/names")
loop "$LOOPED"
each=$((took / LOOPED))
whole=$(awk -v t="$took" -v n="$count" -v l="$LOOPED" 'BEGIN { printf "%.0f\n", t / l * n }')
say "xfs: $count functions; the loop: $LOOPED names in $took us, so all in $whole us"
native
kernel=$took
say "echo :mod:xfs >set_ftrace_filter: $kernel us"

# way WAY TEXT - our command with that way forced; a row against the loop
way() {
	marked "$1" env "PATH=$BUSYBOX_PATH" /bb/ash "$FTDIR/bin/modtrace" -c -d 0.1 xfs
	say "FIELDTRACE_FILTER=$1 modtrace -c -d 0.1 xfs: tracing after $took us"
	ratio "$whole" "$took" 1
	row "modtrace -c xfs ($count functions), set up to tracing, $2" 'a loop, a name a write (times faster)' "$ratio" '>=' "$3"
}

# names TEXT REACH - the same where there is neither :mod: nor an index: how long the words take to find is measured, and what
# they cost is reckoned from the loop, since each costs the same walk (FULL=1 writes them)
names() {
	local words
	if [ "${FULL-}" ]; then
		way kallsyms,names "$1" "$2"
		return
	fi
	cost env FIELDTRACE_FILTER=kallsyms "PATH=$BUSYBOX_PATH" /bb/ash "$FTDIR/bin/modtrace" -n xfs
	words=$(sed 's/.*<- //' "$T/out" | wc -w)
	took=$(awk -v c="$c_cpu" -v w="$words" -v each="$each" 'BEGIN { printf "%.0f\n", c + w * each }')
	say "FIELDTRACE_FILTER=kallsyms modtrace -n xfs: $words words in $c_cpu us; with the walks that they cost $took us"
	sed 's/^\(.\{150\}\).*/\1.../; s/^/#   /' "$T/out" | head -n 3
	ratio "$whole" "$took" 1
	row "modtrace -c xfs ($count functions), set up to tracing, $1" 'a loop, a name a write (times faster)' "$ratio" '>=' "$2"
}

way native 'as it chooses' 100
ratio "$took" "$kernel"
row "modtrace -c xfs ($count functions), set up to tracing" "the kernel's own :mod:xfs write" "$ratio" '<=' 1.3
way index 'index numbers' 30
names 'kallsyms and names' 3
