# shellcheck shell=sh
# reset.sh - reset-ftrace: what it shows, what it removes, and what only -a does
# SPDX-License-Identifier: GPL-2.0-only
# concerns: reset-ftrace
#
# What somebody else has set up is made by hand, at the top level and in an instance. After each case the harness
# compares every setting with what it was before.

. /tests/vm/guest/streaming.sh

# theirs - somebody's probe, instance with an event and a tracer in it, filter, tracer, event, option; undone at the end
theirs() {
	local dir
	dir=$TRACEFS/instances/theirs
	at_end "! grep -q theirs/probe $TRACEFS/kprobe_events || echo -:theirs/probe >>$TRACEFS/kprobe_events"
	echo 'p:theirs/probe read_zero' >>"$TRACEFS/kprobe_events"
	at_end "[ ! -d $dir ] || rmdir $dir"
	mkdir "$dir"
	at_end "[ ! -d $dir ] || echo 0 >$dir/events/enable"
	echo 1 >"$dir/events/sched/sched_process_exit/enable"
	echo 1 >"$dir/events/theirs/probe/enable"
	if [ -e "$dir/set_ftrace_filter" ]; then
		at_end "[ ! -d $dir ] || echo nop >$dir/current_tracer"
		echo read_zero >"$dir/set_ftrace_filter"
		echo function >"$dir/current_tracer"
	fi
	at_end "echo >$TRACEFS/set_ftrace_filter"
	echo write_null >"$TRACEFS/set_ftrace_filter"
	at_end "echo nop >$TRACEFS/current_tracer"
	echo function >"$TRACEFS/current_tracer"
	at_end "echo 0 >$TRACEFS/events/sched/sched_process_fork/enable"
	echo 1 >"$TRACEFS/events/sched/sched_process_fork/enable"
	at_end "echo 0 >$TRACEFS/options/sym-offset"
	echo 1 >"$TRACEFS/options/sym-offset"
	at_end "echo >$TRACEFS/set_event_pid"
	echo $$ >"$TRACEFS/set_event_pid"
}

# setting - what theirs has set, as text
setting() {
	cat "$TRACEFS/current_tracer" "$TRACEFS/set_ftrace_filter" "$TRACEFS/set_event" "$TRACEFS/kprobe_events" \
		"$TRACEFS/options/sym-offset" "$TRACEFS/set_event_pid" "$TRACEFS/instances/theirs/current_tracer" \
		"$TRACEFS/instances/theirs/set_event"
}

# shows_theirs - does out name each of these, and whose they are?
shows_theirs() {
	out_has "^top level   current_tracer is 'function'"
	out_has "^top level   set_ftrace_filter is 'write_null'"
	out_has "^top level   set_event_pid is '$$'"
	out_has '^top level   option sym-offset is set'
	out_has '^event       sched:sched_process_fork is enabled'
	out_has "^probe       p:theirs/probe read_zero .*somebody else's"
	out_has "^instance    theirs .*somebody else's"
}

case_clean() { # at rest it says so
	run reset-ftrace -n
	rc_is 0
	is 'stdout' "$(cat out)" 'nothing is away from default'
	run reset-ftrace -q
	is '-q' "$(cat out err)" ''
	run reset-ftrace -a
	rc_is 0
	is '-a' "$(cat out)" 'nothing is away from default'
}

case_usage() { # what makes no sense is refused
	for args in -z x '-n -a' '-n -f'; do
		# shellcheck disable=SC2086 # words
		run reset-ftrace $args
		rc_is 2
		num_eq "$args: lines on stderr" "$(wc -l <err)" 1
	done
	run reset-ftrace -h
	rc_is 0
	out_has '^usage: reset-ftrace '
}

case_theirs() { # K20, K22: the dry run shows what somebody else has and whose it is; the default touches none of it
	# requires: kprobe_events, tracer:function
	local before
	theirs
	before=$(setting)
	run reset-ftrace -n
	rc_is 0
	shows_theirs
	is 'after -n' "$(setting)" "$before"
	run reset-ftrace
	rc_is 0
	shows_theirs
	is 'after the default' "$(setting)" "$before"
	run reset-ftrace -q
	rc_is 0
	is 'stdout of -q' "$(cat out)" ''
	is 'after -q' "$(setting)" "$before"
}

case_all() { # -a shows it all and then removes it
	# requires: kprobe_events, tracer:function
	theirs
	run reset-ftrace -a
	rc_is 0
	shows_theirs
	run reset-ftrace -n
	is 'afterwards' "$(cat out)" 'nothing is away from default'
	ok 'no instance' test ! -d "$TRACEFS/instances/theirs"
	is 'no probe' "$(cat "$TRACEFS/kprobe_events")" ''
}

case_all_more() { # -a: triggers, filters of events, function commands, notrace, clock, tracing_on as well
	# requires: tracer:function
	echo 'prev_pid == 1' >"$TRACEFS/events/sched/sched_switch/filter"
	echo traceoff:1 >"$TRACEFS/events/sched/sched_process_exec/trigger"
	echo 'stacktrace if prev_pid == 3' >"$TRACEFS/events/sched/sched_switch/trigger"
	[ ! -e "$TRACEFS/events/sched/sched_switch/hist" ] ||
		echo hist:keys=prev_pid >"$TRACEFS/events/sched/sched_process_exit/trigger" 2>/dev/null ||
		echo hist:keys=pid >"$TRACEFS/events/sched/sched_process_exit/trigger"
	echo 'write_null:traceoff:3' >>"$TRACEFS/set_ftrace_filter"
	echo read_zero >"$TRACEFS/set_ftrace_notrace"
	echo $$ >"$TRACEFS/set_ftrace_pid"
	echo global >"$TRACEFS/trace_clock"
	[ ! -e "$TRACEFS/uprobe_events" ] || echo "p:theirs/up /usr/bin/dd:0x40" >>"$TRACEFS/uprobe_events"
	[ ! -e "$TRACEFS/synthetic_events" ] || echo 'theirs_s u64 lat' >>"$TRACEFS/synthetic_events"
	echo 0 >"$TRACEFS/tracing_on"
	run reset-ftrace -n
	out_has '^event       sched/sched_switch has a filter: prev_pid == 1$'
	out_has '^event       sched/sched_process_exec has a trigger: traceoff:count=1$'
	out_has '^command     write_null:traceoff:count=3 in set_ftrace_filter$'
	run reset-ftrace -a
	rc_is 0
	out_has "^top level   tracing_on is '0'"
	out_has "^top level   trace_clock is "
	run reset-ftrace -n
	is 'afterwards' "$(cat out)" 'nothing is away from default'
}

case_live() { # a run that is alive is shown as such, and survives the default and -a
	# requires: tracer:function, kprobe_events
	: >err
	ft_bg funccount -e kprobe read_zero >out1 2>err
	started funccount
	run reset-ftrace -n
	out_has "^instance    ft\.funccount\..*alive"
	out_has "^probe       p:ft_${bg_pid}_.*alive"
	run reset-ftrace
	rc_is 0
	run reset-ftrace -a
	rc_is 1
	err_has 'belongs to a live run'
	reads 7
	finish
	rc_is 0
	is 'it counted on' "$(awk '$1 == "read_zero" { print $2 }' out1)" 7
}

# killed TOOL ARG... - start it and kill it, without a chance to undo anything
killed() {
	: >err
	ft_bg "$@" >out1 2>err
	started "$1"
	kill -9 "$bg_pid"
	wait "$bg_pid" 2>/dev/null
}

# killed_and_reset TOOL ARG... - kill it: is what it leaves shown as a dead run's, and is only what is not ours left after?
killed_and_reset() {
	killed "$@"
	run reset-ftrace -n
	matches "$*: shown as gone" "$(cat out)" '(instance|probe|lock) .*gone'
	run reset-ftrace
	rc_is 0
	err_has 'cleaning up after a run that is gone'
	is "$*: left afterwards" "$(cat out)" "probe       p:theirs/probe read_zero   (somebody else's)"
}

case_killed() { # K14: what each command leaves after kill -9 is removed by the default, and nobody else's probe
	# requires: tracer:function, kprobe_events
	# limit: 240
	echo 'p:theirs/probe read_zero' >>"$TRACEFS/kprobe_events"
	at_end "echo -:theirs/probe >>$TRACEFS/kprobe_events"
	need_module loop
	killed_and_reset funccount -e kprobe read_zero
	killed_and_reset funccount -e trace read_zero
	killed_and_reset functrace -s -d 600 read_zero
	killed_and_reset tpoint sched:sched_process_fork
	killed_and_reset kprobe p:read_zero
	killed_and_reset kprobe 'p:mine/named write_null'
	killed_and_reset modtrace loop
	! grep -q function_graph "$TRACEFS/available_tracers" || killed_and_reset funcgraph -m 1 read_zero
}

case_killed_many() { # several dead runs at once, beside a live one
	# requires: tracer:function
	local fn pids
	for fn in read_zero write_null write_full; do
		: >err
		ft_bg functrace -d 600 "$fn" >"of.$fn" 2>err
		started functrace
		pids="${pids-} $bg_pid"
	done
	# shellcheck disable=SC2086 # PIDs
	set -- $pids
	bg_pid=$1
	kill -9 "$2" "$3"
	wait "$2" "$3" 2>/dev/null
	run reset-ftrace
	rc_is 0
	num_eq 'cleaned' "$(grep -c 'cleaning up' err)" 2
	num_eq 'instances' "$(find "$TRACEFS/instances" -name 'ft.*' -maxdepth 1 | wc -l)" 1
	reads 7
	finish
	num_eq 'the live one went on' "$(grep -c read_zero of.read_zero)" 7
}

case_perf_tools_lock() { # -f: the lock of perf-tools, and only then
	at_end 'rm -f /var/tmp/.ftrace-lock /var/tmp/victim'
	mkdir -p /var/tmp
	# The number of a process that is gone.
	: &
	wait "$!"
	echo "$!" >/var/tmp/.ftrace-lock
	run reset-ftrace
	out_has "^lock        /var/tmp/.ftrace-lock .*perf-tools, PID $!, gone"
	ok 'still there' test -e /var/tmp/.ftrace-lock
	run reset-ftrace -f
	rc_is 0
	ok 'removed' test ! -e /var/tmp/.ftrace-lock
	echo keep >/var/tmp/victim
	ln -s victim /var/tmp/.ftrace-lock
	run reset-ftrace -f
	is 'what a link leads to' "$(cat /var/tmp/victim)" keep
}
