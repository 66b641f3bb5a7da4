# shellcheck shell=sh
# tpoint.sh - tpoint: event names, globs and filters, lists and formats, processes, threads, children, stacks
# SPDX-License-Identifier: GPL-2.0-only
# requires: available_events, events/syscalls/sys_enter_read

. /tests/vm/guest/streaming.sh

# trace_d ARG... - tpoint into the buffer, in the background
trace_d() {
	: >err
	ft_bg tpoint -d 600 "$@" >out 2>err
	started tpoint
}

case_list() { # -l lists every event, and those that match
	# limit: 180
	run tpoint -l
	rc_is 0
	is 'all' "$(cat out)" "$(sort "$TRACEFS/available_events")"
	run tpoint -l 'sched:sched_process_fo*' '*:sys_enter_openat'
	rc_is 0
	is 'two globs' "$(cat out)" 'sched:sched_process_fork
syscalls:sys_enter_openat'
	run tpoint -l 'nosuch:*'
	rc_is 7
	err_has "no event 'nosuch:\*'"
}

case_names() { # what is no event is refused with status 7 or 2, and the message helps
	# limit: 180
	run tpoint 'nosuch:*'
	rc_is 7
	run tpoint sched:sched_swich
	rc_is 7
	err_has 'Close: sched:sched_switch'
	run tpoint sched
	rc_is 2
	err_has "'sched:\*'"
	run tpoint sched:
	rc_is 2
	run tpoint sched:sched_switch nosuch:event
	rc_is 7
	err_has "no event 'nosuch:event'"
	# shellcheck disable=SC2016 # must not be run
	run tpoint 'sched:$(id)'
	rc_is 7
	is 'output' "$(cat out)" ''
}

case_glob_enables() { # a glob is expanded by the tool: those events are on, and no other
	# requires: instances
	# limit: 180
	trace_d 'sched:sched_process_f*' '*:sys_enter_openat' 'block:block_rq_[ic]*'
	is 'enabled' "$(sort "$TRACEFS"/instances/ft.tpoint.*/set_event)" \
		"$(grep -E '^(sched:sched_process_f|syscalls:sys_enter_openat$|block:block_rq_[ic])' "$TRACEFS/available_events" | sort)"
	is 'none at the top level' "$(cat "$TRACEFS/set_event")" ''
	finish
}

case_several() { # several events at once, each with its own number
	# limit: 180
	worker forker go
	trace_d -p "$worker" sched:sched_process_fork sched:sched_process_exit
	# shellcheck disable=SC2016 # for the worker
	echo 'n=23; while [ $n -gt 0 ]; do (:); n=$((n - 1)); done' >go
	wait "$worker"
	finish
	num_eq 'forks' "$(grep -c "forker-$worker .* sched_process_fork: comm=forker pid=$worker child_comm=forker" out)" 23
	num_eq 'its exit' "$(grep -c "forker-$worker .* sched_process_exit: " out)" 1
	num_eq 'and nothing else' "$(wc -l <out)" 24
}

case_filter() { # a filter leaves through what it says, for every event of the list
	# limit: 180
	trace_d syscalls:sys_enter_rea[d] syscalls:sys_enter_write 'count == 512'
	w_reads 23
	finish
	num_eq 'reads' "$(grep -c 'sys_read(.*count: \(0x\)*200)' out)" 23
	num_eq 'writes' "$(grep -c 'sys_write(.*count: \(0x\)*200)' out)" 23
}

case_filter_text() { # blanks and quotes in a filter reach the kernel unchanged
	# limit: 180
	for filter in 'filename == "no such/a b"' 'filename ~ "*a \"*"' "filename ~ '*a b'"; do
		: >err
		ft_bg tpoint -d 600 sched:sched_process_exec "$filter" >out 2>err
		if wait_for 300 grep -q -e '^Tracing' -e refuses err && grep -q refuses err; then
			# Not every kernel takes each way to quote; a refusal must be the kernel's own.
			rc=0
			wait "$bg_pid" || rc=$?
			rc_is 8
			echo "$filter" >"$TRACEFS/events/sched/sched_process_exec/filter" 2>/dev/null && fail "refused: $filter"
			echo 0 >"$TRACEFS/events/sched/sched_process_exec/filter"
			continue
		fi
		is 'the filter' "$(cat "$TRACEFS"/instances/ft.tpoint.*/events/sched/sched_process_exec/filter)" "$filter"
		finish
	done
}

case_filter_refused() { # a bad filter: status 8, the kernel's words with the caret in place, the fields; nothing was on
	# requires: error_log
	# limit: 180
	run tpoint sched:sched_switch 'next_pidd == 1'
	rc_is 8
	err_has '^tpoint: the kernel refuses the filter for sched:sched_switch: [Ff]ield not found'
	is 'filter and caret' "$(sed -n '2,3p' err)" '    next_pidd == 1
    ^'
	run tpoint 'syscalls:sys_enter_[rw]*e*' 'count == 512'
	rc_is 8
	err_has 'for syscalls:[a-z0-9_]+: Field not found'
	run tpoint sched:sched_switch 'next_pid == 1 & & prev_pid == 2'
	rc_is 8
	is 'the kernel'"'"'s own caret' "$(sed -n '2,3p' err)" "$(kernel_caret 'next_pid == 1 & & prev_pid == 2')"
	run tpoint sched:sched_switch 'next_pid == 1 && prev_oops > 3'
	is 'fields' "$(sed -n '4p' err)" '  fields: prev_comm prev_pid prev_prio prev_state next_comm next_pid next_prio'
	run tpoint sched:sched_switch 'next_pid == 1 && prev_oops > 3'
	rc_is 8
	is 'caret under the second field' "$(sed -n '2,3p' err)" '    next_pid == 1 && prev_oops > 3
                     ^'
	is 'one message' "$(wc -l <err)" 4
	for filter in 'bogus == 1' 'next_comm ~ foo' '(next_pid == 1' 'next_pid =' '==' 'next_pid == "x"' 'a b c d'; do
		run tpoint -d 1 sched:sched_switch "$filter"
		rc_is 8
		nomatch "$filter" "$(cat err)" 'Tracing'
		is "$filter: output" "$(cat out)" ''
	done
	run tpoint sched:sched_switch ''
	rc_is 2
	run tpoint sched:sched_switch 'prev_pid == 1
next_pid == 1'
	rc_is 2
	# shellcheck disable=SC2016 # must not be run
	run tpoint sched:sched_switch '$(touch owned) == `touch owned`; touch owned'
	rc_is 8
	ok 'no command was run' test ! -e owned
}

# kernel_caret FILTER - what the kernel logs about a filter of sched_switch, as the tool shows it
kernel_caret() {
	{ echo "$1" >"$TRACEFS/events/sched/sched_switch/filter"; } 2>/dev/null
	echo 0 >"$TRACEFS/events/sched/sched_switch/filter"
	# shellcheck disable=SC2016 # a $ of sed
	sed -n '/^  Command: /{N;s/^  Command: /    /;s/\n       /\n/;h;};${x;p;}' "$TRACEFS/error_log"
}

case_filter_before_enable() { # the filter is in place before the event is on, and a refused one never turns it on
	# limit: 180
	# once
	/usr/bin/strace -f -y -e trace=openat -o trace "$CASE_SHELL" "$FTDIR/bin/tpoint" -d 0.3 sched:sched_switch 'next_pid == 1' 2>/dev/null
	is 'order' "$(grep -o 'sched_switch/[ef][a-z]*", O_WRONLY' trace | grep -o '/[a-z]*')" '/filter
/enable'
	/usr/bin/strace -f -e trace=openat -o trace "$CASE_SHELL" "$FTDIR/bin/tpoint" -d 0.3 sched:sched_switch 'next_pidd == 1' 2>/dev/null
	is 'refused' "$(grep -c 'sched_switch/enable", O_WRONLY' trace)" 0
}

case_view() { # -v shows the format; its filter example is one that the kernel takes
	# limit: 180
	run tpoint -v sched:sched_switch
	rc_is 0
	is 'format' "$(grep -v -e '^filter example' -e '^$' out)" "$(grep -v '^$' "$TRACEFS/events/sched/sched_switch/format")"
	out_has "^filter example: tpoint sched:sched_switch '.*'"
	nothing_on
}

# nothing_on - no instance of ours, no event on
nothing_on() {
	is 'enabled events' "$(cat "$TRACEFS/set_event")" ''
	ok 'no instance' no_instance
}

no_instance() {
	for dir in "$TRACEFS"/instances/ft.*; do
		[ ! -d "$dir" ] || return 1
	done
}

case_view_examples() { # every filter example of many events is accepted by the kernel
	# limit: 240
	# once
	run tpoint -v 'sched:*' 'signal:*' 'block:*' 'syscalls:sys_enter_[op]*' 'syscalls:sys_exit_[op]*' 'task:*' 'timer:*' 'kmem:*' 'irq:*'
	rc_is 0
	sed -n "s/^filter example: tpoint \([^ ]*\):\([^ ]*\) '\(.*\)'\$/\1 \2 \3/p" out >examples
	ok 'many examples' test "$(wc -l <examples)" -gt 50
	mkdir "$TRACEFS/instances/examples"
	at_end "rmdir $TRACEFS/instances/examples"
	while read -r system event filter; do
		echo "$filter" >"$TRACEFS/instances/examples/events/$system/$event/filter" || fail "$system:$event refuses $filter"
	done <examples
}

case_pid() { # -p: these processes and no other; with a filter on top
	# limit: 180
	worker one go1
	one=$worker
	worker two go2
	two=$worker
	worker three go3
	trace_d -p "$one" -p "$two" syscalls:sys_enter_write 'count == 1'
	writes 5 >go1
	writes 7 >go2
	writes 11 >go3
	wait "$one" "$two" "$worker"
	finish
	num_eq 'first' "$(grep -c "one-$one " out)" 5
	num_eq 'second' "$(grep -c "two-$two " out)" 7
	num_eq 'and nobody else' "$(wc -l <out)" 12
}

case_threads() { # -p takes all threads of a process, -L one; set_event_pid says so
	# requires: set_event_pid
	# limit: 180
	threads
	trace_d -p "$threads" sched:sched_process_exit
	is 'set_event_pid' "$(sort "$TRACEFS"/instances/ft.tpoint.*/set_event_pid)" "$tids"
	kill -CONT "$threads"
	wait "$threads"
	finish
	is 'both threads' "$(sed 's/^ *sort-\([0-9]*\) .*/\1/' out | sort)" "$tids"
	threads
	tid=${tids##*
}
	trace_d -L "$tid" sched:sched_process_exit
	kill -CONT "$threads"
	wait "$threads"
	finish
	is 'one thread' "$(sed 's/^ *sort-\([0-9]*\) .*/\1/' out)" "$tid"
}

case_follow() { # -f: children and their children too, and only then
	# requires: options/event-fork
	# limit: 180
	for follow in '' -f; do
		wanted=0
		[ ! "$follow" ] || wanted=3
		worker parent go
		# shellcheck disable=SC2086
		trace_d $follow -p "$worker" syscalls:sys_enter_write 'count == 1'
		echo "$(writes 3); (echo >/dev/null; (echo >/dev/null)); (echo >/dev/null)" >go
		wait "$worker"
		finish
		num_eq 'parent' "$(grep -c "parent-$worker " out)" 3
		num_eq "children with '$follow'" "$(grep -vc "parent-$worker " out)" "$wanted"
	done
}

case_stacks() { # -s: a stack after each event
	# requires: sh:test ! "$OLD"
	# limit: 180
	trace_d -s sched:sched_process_exec 'filename == "/bb/true"'
	/bb/true
	/bb/true
	finish
	num_eq 'events' "$(grep -c 'sched_process_exec: filename=/bb/true' out)" 2
	num_eq 'stacks' "$(grep -c '<stack trace>' out)" 2
	ok 'frames' test "$(grep -c '^ => .*exec' out)" -ge 2
	is 'option at the top level' "$(cat "$TRACEFS/options/stacktrace")" 0
}

# children PID - the PIDs of its children
children() {
	cat /proc/[0-9]*/stat 2>/dev/null | awk -v ppid="$1" '{ pid = $1; sub(/^.*\) /, ""); if ($2 == ppid) print pid }'
}

case_not_itself() { # sched:* live: the tool and its reader show no event of their own, and it ends
	# limit: 180
	: >err
	ft_bg tpoint 'sched:*' >out 2>err
	started tpoint
	w_forks 3
	ok 'events' wait_for 100 grep -q sched_process_fork out
	pids=$(children "$bg_pid")
	matches 'it has a reader' "$pids" '[0-9]'
	finish
	is 'status' "$rc" 0
	for pid in "$bg_pid" $pids; do
		# The kernel shows a switch or a wake-up when either side of it is to be traced.
		num_eq "events of $pid" "$(grep -e "-$pid  *\[" out | grep -Evc ' sched_(switch|wak[a-z_]*|migrate_task): ')" 0
	done
}

case_exclusive_options() { # -d with -v or -l makes no sense; status 2
	# limit: 180
	run tpoint -d 1 -v sched:sched_switch
	rc_is 2
	run tpoint -d 1 -l
	rc_is 2
}
