# shellcheck shell=sh
# every.sh - for cases about all commands: how each is called, the work that it shows, and how its output is counted
# SPDX-License-Identifier: GPL-2.0-only
#
# A case file sources it; it brings streaming.sh and state.sh along. Each command is called so that it shows "work N" as
# N: reads of /dev/zero by a dd, and for modtrace as many requests of a loop device ("ready" sets that up). A command that
# is started here has a folder of its own name, with out and err, so that several can run at a time.

. /tests/vm/guest/streaming.sh
. /tests/vm/guest/state.sh

# Those that trace until they are told to end, and all there are.
TRACING='funccount functrace funcgraph tpoint kprobe modtrace'
# shellcheck disable=SC2034 # for the cases
EVERY="$TRACING reset-ftrace fieldtrace"

# ready - what the work needs, before the first snapshot
ready() {
	loop_ready
	# Not from /dev/zero: those reads are the others' work.
	/usr/bin/dd if="$T/loop.img" of="$T/work.in" bs=4096 count=64 status=none
	work 1
}

# work N - what each command shows as N
work() {
	local left n
	reads "$1"
	left=$1
	while [ "$left" -gt 0 ]; do
		n=$((left > 64 ? 64 : left))
		/usr/bin/dd if="$T/work.in" of="$LOOP" bs=4096 count="$n" oflag=direct conv=notrunc status=none
		left=$((left - n))
	done
}

# every HOW COMMAND [OPTION...] - ft, run or ft_bg the command with what it is to trace
every() {
	local how tool
	how=$1 tool=$2
	shift 2
	case $tool in
	funccount) "$how" funccount "$@" read_zero ;;
	modtrace) "$how" modtrace "$@" loop loop_queue_rq ;;
	reset-ftrace) "$how" reset-ftrace "$@" ;;
	fieldtrace) "$how" fieldtrace "$@" check ;;
	*) stream "$how" "$tool" "$@" ;;
	esac
}

# launch COMMAND [OPTION...] - in the background, its files in the folder of its name (or $as); its PID in $bg_pid
launch() {
	local dir
	dir=${as:-$1}
	mkdir -p "$dir"
	every ft_bg "$@" >"$dir/out" 2>"$dir/err"
	printf '%s\n' "$bg_pid" >"$dir/pid"
}

# launched DIR... - wait until each says that it traces, or has ended
launched() {
	local dir
	for dir; do
		ok "$dir starts" wait_for 300 on_its_way "$dir"
	done
}

# on_its_way DIR - does it trace, or is it over?
on_its_way() {
	local line
	while IFS= read -r line; do
		case $line in
		Tracing*) return ;;
		esac
	done <"$1/err"
	over "$(cat "$1/pid")"
}

# batch COMMAND... - launch them all at once, wait until all trace
batch() {
	local tool
	for tool; do launch "$tool"; done
	launched "$@"
}

# over PID - has the process ended? One that nobody has waited for yet has.
over() {
	local line
	{ IFS= read -r line <"/proc/$1/stat"; } 2>/dev/null || return 0
	case ${line##*) } in
	Z*) return 0 ;;
	esac
	return 1
}

# land DIR [SIGNAL] - end it by the signal (INT; none: it ends by itself), to its shell alone; status in $rc, its files
# as the case's out and err
land() {
	local pid signal
	pid=$(cat "$1/pid")
	signal=${2-INT}
	[ ! "$signal" ] || kill "-$signal" "$pid" 2>/dev/null
	if ! wait_for 60 over "$pid"; then
		cp "$1/out" "$1/err" "$T"
		fail "$1 does not end"
	fi
	rc=0
	wait "$pid" || rc=$?
	cp "$1/out" "$1/err" "$T"
}

# seen COMMAND - how much work the case's out shows
seen() {
	case $1 in
	funccount) awk '$1 == "read_zero" { n += $NF } END { print n + 0 }' "$T/out" ;;
	modtrace) grep -Ec ' loop_queue_rq( \[loop\])? <-' "$T/out" ;;
	*) (cd "$T" && lines "$1") ;;
	esac
}

# unchanged WHAT - is the state, byte for byte, what the file "state" has? The files of this case are left out.
unchanged() {
	asserted
	state_snapshot >state.now
	cmp -s state state.now || fail "$1: the state is not as before:
$(diff -U 0 state state.now | grep '^[-+][^-+]' | head -n 20)"
}

# keep_state - the state that "unchanged" compares with
keep_state() {
	state_snapshot >state
}

# graph_shares - does this kernel graph at the top level only?
graph_shares() {
	! grep -q function_graph "$TRACEFS/instances/theirs/available_tracers"
}

# --- somebody else's tracing

# foreign_probes - probes of theirs: on the function that the commands trace, of names like ours and like perf-tools'
foreign_probes() {
	local line
	for line in 'p:theirs/read_zero read_zero' 'r:theirs/ret read_zero' 'p:ft_theirs/x write_full' \
		'p:kprobes/read_zero read_zero'; do
		echo "$line" >>"$TRACEFS/kprobe_events" || fail "no foreign probe: $line"
		line=${line%% *}
		at_end "echo -:${line#*:} >>$TRACEFS/kprobe_events"
	done
}

# foreign_instance - an instance of theirs with a tracer, a filter, an event, a clock and a buffer size
foreign_instance() {
	local dir
	dir=$TRACEFS/instances/theirs
	mkdir "$dir" || fail 'no foreign instance'
	at_end "retry rmdir $dir"
	at_end "echo nop >$dir/current_tracer; echo 0 >$dir/events/enable"
	echo write_full >"$dir/set_ftrace_filter"
	echo function >"$dir/current_tracer"
	echo 'comm == "theirs"' >"$dir/events/sched/sched_process_exec/filter"
	echo 1 >"$dir/events/sched/sched_process_exec/enable"
	echo 1 >"$dir/events/ft_theirs/x/enable"
	echo boot >"$dir/trace_clock"
	echo 64 >"$dir/buffer_size_kb"
}

# foreign_top - theirs at the top level: the function tracer with a filter and a PID, an event, and a reader of
# trace_pipe; what it reads goes to theirs.top
foreign_top() {
	at_end "echo nop >$TRACEFS/current_tracer; echo >$TRACEFS/set_ftrace_filter; echo >$TRACEFS/set_ftrace_notrace"
	at_end "echo 0 >$TRACEFS/events/sched/sched_process_hang/enable; echo >$TRACEFS/set_event_pid"
	echo write_full >"$TRACEFS/set_ftrace_filter"
	echo read_full >"$TRACEFS/set_ftrace_notrace" 2>/dev/null
	echo 1 >"$TRACEFS/set_event_pid"
	echo 1 >"$TRACEFS/events/sched/sched_process_hang/enable"
	echo function >"$TRACEFS/current_tracer"
	/bb/cat "$TRACEFS/trace_pipe" >theirs.top &
	theirs_reader=$!
	at_end "kill $theirs_reader"
}

# foreign_trace_cmd - a trace-cmd session of theirs, of the same calls in an instance of its own; it records to theirs.dat
foreign_trace_cmd() {
	local dir
	dir=$TRACEFS/instances/theirs_cmd
	/usr/bin/trace-cmd record -q -B theirs_cmd -p function -l write_full -e sched:sched_process_hang -o theirs.dat \
		>trace-cmd.out 2>&1 &
	trace_cmd=$!
	at_end "kill -KILL $trace_cmd; retry rmdir $dir"
	at_end "echo nop >$dir/current_tracer; echo 0 >$dir/events/enable"
	ok 'their trace-cmd records' wait_for 120 grep -q function "$dir/current_tracer"
	ok 'their trace-cmd is on' wait_for 60 grep -q 1 "$dir/tracing_on"
}

# theirs N - N events of theirs, in each of their buffers
theirs() {
	local left
	left=$1
	echo x >theirs.in
	while [ "$left" -gt 0 ]; do
		theirs_made=$((${theirs_made:-0} + 1))
		echo "theirs-$theirs_made" >"$TRACEFS/trace_marker"
		echo "theirs-$theirs_made" >"$TRACEFS/instances/theirs/trace_marker"
		/bb/dd if=theirs.in of=/dev/full bs=1 count=1 status=none 2>/dev/null
		left=$((left - 1))
	done
}

# theirs_whole - did they lose nothing? Every mark and every call is where they look for it.
theirs_whole() {
	local file
	echo "theirs-end" >"$TRACEFS/trace_marker"
	ok 'their reader of trace_pipe reads on' wait_for 60 grep -q 'theirs-end' theirs.top
	cp "$TRACEFS/instances/theirs/trace" theirs.instance
	for file in theirs.top theirs.instance; do
		num_eq "marks in $file" "$(grep -c 'tracing_mark_write: theirs-[0-9]' "$file")" "${theirs_made:-0}"
		num_eq "calls in $file" "$(grep -c 'write_full <-' "$file")" "${theirs_made:-0}"
		is "order in $file" "$(sed -n 's/.*tracing_mark_write: theirs-\([0-9]\)/\1/p' "$file" | sort -cn 2>&1)" ''
	done
}

# trace_cmd_whole - end their trace-cmd: did it record every call?
trace_cmd_whole() {
	kill -INT "$trace_cmd"
	ok 'their trace-cmd ends' wait_for 120 over "$trace_cmd"
	/usr/bin/trace-cmd report -i theirs.dat >theirs.cmd 2>/dev/null
	num_eq 'calls in theirs.dat' "$(grep -c 'function: *write_full' theirs.cmd)" "${theirs_made:-0}"
}
