# shellcheck shell=sh
# functrace.sh - functrace: patterns, processes, threads, children, stacks, and never itself
# SPDX-License-Identifier: GPL-2.0-only
# requires: tracer:function, available_filter_functions

. /tests/vm/guest/streaming.sh

# trace_d ARG... - functrace into the buffer, in the background
trace_d() {
	: >err
	ft_bg functrace -d 600 "$@" >out 2>err
	started functrace
}

case_several() { # several patterns: as arguments, in one quoted list, and as a glob
	# limit: 180
	for patterns in 'two arguments' list glob; do
		case $patterns in
		two*) trace_d read_zero write_null ;;
		list) trace_d 'read_zero  write_null' ;;
		glob) trace_d 'read_zer?' 'write_nul*' ;;
		esac
		w_reads 23
		finish
		num_eq "$patterns: read_zero" "$(grep -c ' read_zero <-' out)" 23
		num_eq "$patterns: write_null" "$(grep -c 'dd-.* write_null <-' out)" 23
		err_has '^Tracing 2 functions for 600 seconds'
	done
}

case_unknown() { # no such function: status 7, the close names, nothing set up
	# limit: 180
	# once
	run functrace vfs_raed
	rc_is 7
	err_has "^functrace: no function matches 'vfs_raed'\. Close: vfs_read\b"
	is 'output' "$(cat out)" ''
	run functrace read_zero no_such_function_
	rc_is 7
	err_has "'no_such_function_'"
}

case_stacks() { # -s: the stack of each call, from the function's caller on
	# limit: 180
	trace_d -s read_zero
	reads 3
	finish
	num_eq 'calls' "$(lines functrace)" 3
	num_eq 'stacks' "$(grep -c '<stack trace>' out)" 3
	# Each stack leads through the same functions.
	is 'the same frame in each' "$(grep -E '^ => .*[Ss]y[Ss]_read' out | sort | uniq -c | awk '$1 != 3')" ''
	out_has '^ => .*[Ss]y[Ss]_read'
	trace_d read_zero
	reads 3
	finish
	num_eq 'without -s: lines' "$(wc -l <out)" 3
}

# foreign_tracer - somebody else's function tracer at the top level; its settings as text in $foreign
foreign_tracer() {
	at_end "echo >$TRACEFS/set_ftrace_filter"
	at_end "echo nop >$TRACEFS/current_tracer"
	echo write_null >"$TRACEFS/set_ftrace_filter"
	echo function >"$TRACEFS/current_tracer"
	foreign=$(foreign_state)
}

foreign_state() {
	cat "$TRACEFS/current_tracer" "$TRACEFS/set_ftrace_filter" "$TRACEFS/tracing_on" "$TRACEFS/trace_options"
}

case_beside() { # works beside somebody's function tracer at the top level, and leaves that as it is
	# requires: instance:set_ftrace_filter
	# limit: 180
	foreign_tracer
	trace_d read_zero
	reads 23
	is 'foreign state while tracing' "$(foreign_state)" "$foreign"
	finish
	num_eq 'lines' "$(wc -l <out)" 23
	is 'foreign state afterwards' "$(foreign_state)" "$foreign"
}

case_stacks_beside() { # -s beside a foreign function tracer: refused where the kernel would give that stacks too
	# limit: 180
	foreign_tracer
	if [ "$KEY" = 7 ]; then
		trace_d -s read_zero
		reads 3
		finish
		num_eq 'stacks' "$(grep -c '<stack trace>' out)" 3
	else
		run functrace -s -d 1 read_zero
		rc_is 5
		err_has "tracer 'function' is active"
	fi
	is 'foreign state' "$(foreign_state)" "$foreign"
}

case_pid() { # -p: these processes and no other
	# limit: 180
	worker one go1
	one=$worker
	worker two go2
	two=$worker
	worker three go3
	trace_d -p "$one" -p "$two" write_null
	writes 5 >go1
	writes 7 >go2
	writes 11 >go3
	wait "$one" "$two" "$worker"
	finish
	num_eq 'first' "$(grep -c "one-$one " out)" 5
	num_eq 'second' "$(grep -c "two-$two " out)" 7
	num_eq 'and nobody else' "$(wc -l <out)" 12
}

case_follow() { # -f: children of the process too, and only then
	# requires: options/function-fork
	# limit: 180
	for follow in '' -f; do
		wanted=0
		[ ! "$follow" ] || wanted=3
		worker parent go
		# shellcheck disable=SC2086
		trace_d $follow -p "$worker" write_null
		echo "$(writes 3); (echo >/dev/null; (echo >/dev/null)); (echo >/dev/null)" >go
		wait "$worker"
		finish
		num_eq 'parent' "$(grep -c "parent-$worker " out)" 3
		num_eq "children with '$follow'" "$(grep -vc "parent-$worker " out)" "$wanted"
	done
}

case_threads() { # -p takes all threads of a process, -L one
	# limit: 180
	threads
	trace_d -p "$threads" do_exit
	kill -CONT "$threads"
	wait "$threads"
	finish
	is 'both threads' "$(sed 's/^ *sort-\([0-9]*\) .*/\1/' out | sort)" "$tids"
	threads
	# The second thread alone.
	tid=${tids##*
}
	trace_d -L "$tid" do_exit
	kill -CONT "$threads"
	wait "$threads"
	finish
	is 'one thread' "$(sed 's/^ *sort-\([0-9]*\) .*/\1/' out)" "$tid"
}

# other_reader NAME - endless reads of /dev/zero by a program of that name, paced
other_reader() {
	cp /usr/bin/dd "$1"
	while :; do
		"./$1" if=/dev/zero of=/dev/null bs=777 count=5 status=none
		sleep 0.2
	done
}

case_not_itself() { # a function that its own reader calls: others are shown, the tool never, and it ends
	# limit: 180
	other_reader customer &
	at_end "kill $!"
	: >err
	ft_bg functrace vfs_read >out 2>err
	started functrace
	ok 'the other' wait_for 100 grep -q 'customer-' out
	pids=$(children "$bg_pid")
	matches 'it has a reader' "$pids" '[0-9]'
	sleep 1
	finish
	is 'status' "$rc" 0
	for pid in "$bg_pid" $pids; do
		num_eq "lines of $pid" "$(grep -c -e "-$pid  *\[" out)" 0
	done
}

# children PID - the PIDs of its children
children() {
	cat /proc/[0-9]*/stat 2>/dev/null | awk -v ppid="$1" '{ pid = $1; sub(/^.*\) /, ""); if ($2 == ppid) print pid }'
}

case_not_itself_buffered() { # -d with vfs_*: ends, and shows nothing of the tool's own
	# limit: 180
	other_reader customer &
	at_end "kill $!"
	run functrace -d 1 'vfs_*'
	rc_is 0
	out_has 'customer-'
	# Its own shell and programs; nobody else runs these meanwhile.
	is 'own lines' "$(grep -Ec '^ *(dd|awk|functrace)-' out)" 0
}

case_buffer() { # -b sets the size of this run's buffer, and of no other
	# requires: instance:set_ftrace_filter
	# limit: 180
	before=$(cat "$TRACEFS/buffer_size_kb")
	trace_d -b 4096 read_zero
	dir=$(echo "$TRACEFS"/instances/ft.functrace.*)
	num_between 'own buffer' "$(cat "$dir/buffer_size_kb")" 4096 4104
	is 'top level' "$(cat "$TRACEFS/buffer_size_kb")" "$before"
	finish
}

case_module() { # a module's function in both forms, and a module that is not loaded
	# limit: 180
	loop_ready
	w_loop 1
	trace_d loop:loop_queue_rq 'lo_*:mod:loop'
	w_loop 23
	finish
	num_eq 'requests' "$(grep -Ec ' loop_queue_rq( \[loop\])? <-' out)" 23
	run functrace ':mod:nosuch'
	rc_is 7
	err_has "no module 'nosuch'"
}
