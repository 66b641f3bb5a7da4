#!/bin/sh
# stream.sh - measure: many lines streamed to a file: how many arrive, and CPU time for each, against cat trace_pipe and perf-tools
# SPDX-License-Identifier: GPL-2.0-only
# guest: 6.12 1 0
# shellcheck source=lib.sh
. /tests/bench/lib.sh

# Events made. What a million would cost is reckoned from these and from a run with a few, so that neither start nor stop counts
# for more than it does there.
LINES=${LINES:-1000000}

# settled FILE - wait until it does not grow any more
settled() {
	local size last
	last=-1
	while size=$(wc -c <"$1") && [ "$size" != "$last" ]; do
		last=$size
		sleep 2
	done
}

# streamed N COMMAND... -> $arrived (lines of $by in $T/stream) $spent (us of CPU); COMMAND streams the N events of $work until INT
streamed() {
	local n start pid
	n=$1
	shift
	cpu_us
	start=$cpu_us
	in_background "$@" >"$T/stream" 2>"$T/err"
	pid=$bg_pid
	sleep 3
	"$work" "$n"
	settled "$T/stream"
	kill -INT "-$pid"
	wait "$pid" 2>/dev/null
	cpu_us
	arrived=$(grep -c " $by-[0-9]" "$T/stream")
	spent=$((cpu_us - start))
	rm -f "$T/stream"
}

# reckoned NAME COMMAND... -> $arrived of $LINES; $each: ns of CPU a line, start and stop included, were there a million of them
reckoned() {
	local name few less
	name=$1
	shift
	streamed 1000 "$@"
	few=$spent less=$arrived
	streamed "$LINES" "$@"
	each=$(awk -v few="$few" -v less="$less" -v us="$spent" -v n="$arrived" 'BEGIN {
		slope = n > less ? (us - few) / (n - less) : 0
		printf "%.0f\n", (few + slope * (1000000 - less)) / 1000
	}')
	say "$name: $arrived of $LINES lines in $spent us of CPU, $less of 1000 in $few us: $each ns a line of 1000000"
}

# w_bytes N - N reads of a byte and as many writes, by "dd"
w_bytes() {
	/bb/dd if=/dev/zero of=/dev/null bs=1 count="$1" 2>/dev/null
}

# w_kills N - N times a system call that no reader makes, by "events": one that did would feed on its own events
# shellcheck disable=SC2016 # the inner shell's
w_kills() {
	/tmp/events -c 'n=$0; while [ "$n" -gt 0 ]; do kill -0 $$; n=$((n - 1)); done' "$1"
}

# cat_pipe - what the kernel offers without any tool: run by bare() once the instance is set up
# shellcheck disable=SC2016 # the inner shell's
cat_pipe='PATH=/usr/bin:/bin; exec cat "$1/trace_pipe"'

# bare FILE VALUE... -> $cat_lines $cat_each: cat trace_pipe of an instance in which each VALUE has been written into its FILE
bare() {
	local dir
	dir=$TRACEFS/instances/bare
	mkdir "$dir"
	while [ $# -gt 0 ]; do
		echo "$2" >"$dir/$1"
		shift 2
	done
	reckoned 'cat trace_pipe' /bb/ash -c "$cat_pipe" ash "$dir"
	cat_lines=$arrived cat_each=$each
	echo nop >"$dir/current_tracer"
	echo 0 >"$dir/events/enable"
	rmdir "$dir"
}

# compare NAME ARG... - our command, and perf-tools', against the bare kernel of bare()
compare() {
	local name ours
	name=$1
	shift
	reckoned "$name" env "PATH=$BUSYBOX_PATH" /bb/ash "$FTDIR/bin/$name" "$@"
	ours=$each
	ratio "$arrived" "$cat_lines"
	row "$name $*: lines that arrive of $LINES" 'cat trace_pipe' "$ratio" '>=' 0.95
	ratio "$ours" "$cat_each"
	row "$name $*: CPU a line" 'cat trace_pipe' "$ratio" '<=' -
	[ -e "/usr/sbin/$name-perf" ] || return
	reckoned "$name-perf" env "PATH=$DEBIAN_PATH" bash "/usr/sbin/$name-perf" "$@"
	ratio "$ours" "$each"
	row "$name $*: CPU a line" "perf-tools' $name" "$ratio" '<=' 1
}

work=w_bytes by=dd
bare set_ftrace_filter read_zero current_tracer function
compare functrace read_zero
cp "$(command -v dash)" /tmp/events || exit
work=w_kills by=events
bare events/syscalls/sys_enter_kill/enable 1
compare tpoint syscalls:sys_enter_kill
