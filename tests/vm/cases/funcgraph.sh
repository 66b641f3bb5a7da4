# shellcheck shell=sh
# funcgraph.sh - funcgraph: what it shows and leaves out, each of its options, and who is at the top level
# SPDX-License-Identifier: GPL-2.0-only
# requires: tracer:function_graph, available_filter_functions

. /tests/vm/guest/streaming.sh

# trace_d ARG... - funcgraph into the buffer, in the background
trace_d() {
	: >err
	ft_bg funcgraph -d 600 "$@" >out 2>err
	started funcgraph
}

# graph_writes N ARG... - graph of a worker that writes N times to /dev/null by itself; its PID in $worker
graph_writes() {
	local n
	n=$1
	shift
	worker writer go
	trace_d -p "$worker" "$@"
	writes "$n" >go
	wait "$worker"
	finish
}

case_children() { # a function with all it calls: depth by indentation, a duration a call
	# requires: sh:! grep -q ' __vfs_write$' /proc/kallsyms
	# limit: 180
	graph_writes 5 vfs_write
	num_eq 'calls' "$(grep -Ec '^ [01]\) +\|  vfs_write\(\) \{$' out)" 5
	num_eq 'their ends' "$(grep -Ec '^ [01]\) [ +!#*@$] *[0-9.]+ us +\|  \}$' out)" 5
	# An interrupt inside of one makes it two lines.
	num_eq 'the driver inside' "$(grep -Ec '^ [01]\) .*\|    write_null\(\)(;| \{)$' out)" 5
	ok 'durations' grep -Eq '^ [01]\) [ +!#*@$] *[0-9.]+ us +\|    write_null\(\);$' out
}

case_depth() { # -m: no deeper than so many levels
	# requires: sh:grep -q ' ksys_write$' /proc/kallsyms
	# limit: 180
	graph_writes 5 -m 1 vfs_write
	num_eq 'lines' "$(grep -Ec ' us +\|  vfs_write\(\);$' out)" 5
	num_eq 'and no other' "$(grep -c '|' out)" 5
	graph_writes 5 -m 2 ksys_write
	num_eq 'second level' "$(grep -Ec '\|    vfs_write\(\);$' out)" 5
	num_eq 'no third' "$(grep -Ec '\|      ' out)" 0
}

case_several() { # several functions, and a glob
	# limit: 180
	trace_d -m 1 read_zer? write_null
	reads 23
	finish
	num_eq 'one' "$(lines funcgraph)" 23
	ok 'the other' test "$(grep -c 'write_null()' out)" -ge 23
	num_eq 'no third' "$(grep -o '[a-z_0-9.]*()' out | grep -vc -e '^read_zero()' -e '^write_null()')" 0
}

case_leave_out() { # -x: not these, wherever they are called
	# requires: sh:! grep -q ' __vfs_write$' /proc/kallsyms
	# limit: 180
	graph_writes 5 -x write_null -x 'rw_verif*' vfs_write
	num_eq 'calls' "$(grep -c 'vfs_write()' out)" 5
	num_eq 'left out' "$(grep -c -e write_null -e rw_verify_area out)" 0
}

case_slower() { # -M: only calls that take longer than so many microseconds
	# limit: 180
	trace_d -m 1 -M 100000 read_zero hrtimer_nanosleep
	reads 23
	/bb/sleep 0.5
	finish
	num_eq 'no read' "$(grep -c read_zero out)" 0
	ok 'the sleep' grep -Eq '[@*] *[0-9.]+ us +\| +(\} /\* hrtimer_nanosleep|hrtimer_nanosleep)' out
}

case_cpu_time() { # -C: without the time asleep, which is in it otherwise
	# limit: 180
	trace_d -m 1 hrtimer_nanosleep
	/bb/sleep 0.5
	finish
	num_between 'with sleep' "$(duration)" 500000 900000000
	trace_d -C -m 1 hrtimer_nanosleep
	/bb/sleep 0.5
	finish
	num_between 'without' "$(duration)" 1 499999
}

# duration - the longest duration in the output, in microseconds
duration() {
	awk '/ us / { for (i = 1; i <= NF; i++) if ($i == "us" && $(i - 1) + 0 > most) most = $(i - 1) + 0 } END { print most + 0 }' out
}

case_look() { # -D no durations, -t times, -P names, -T names at the ends, -H headers, -a all
	# limit: 240
	# once
	graph_writes 3 -D vfs_write
	num_eq '-D' "$(grep -c ' us ' out)" 0
	num_eq '-D: calls' "$(grep -c 'vfs_write() {' out)" 3
	graph_writes 3 -t -m 1 vfs_write
	num_eq '-t' "$(grep -Ec '^ *[0-9]+\.[0-9]{6} \|  +[01]\) .* us +\|  vfs_write\(\);$' out)" 3
	graph_writes 3 -P -m 1 vfs_write
	num_eq '-P' "$(grep -Ec "^ [01]\) +writer-$worker +\| .* us +\|  vfs_write\(\);\$" out)" 3
	graph_writes 3 -T vfs_write
	num_eq '-T' "$(grep -Ec '\|  \} /\* vfs_write( .*)? \*/$' out)" 3
	graph_writes 3 -H -m 1 vfs_write
	matches '-H' "$(head -n 6 out)" '^# CPU  DURATION +FUNCTION CALLS$'
	graph_writes 3 -a -m 1 vfs_write
	matches '-a: header' "$(head -n 6 out)" '^# +TIME +CPU +TASK/PID +DURATION +FUNCTION CALLS$'
	num_eq '-a: lines' "$(grep -Ec "^ *[0-9]+\.[0-9]{6} \|  +[01]\) +writer-$worker +\| .* us +\|  vfs_write\(\);\$" out)" 3
}

case_headers_live() { # -H live: the header once, before the calls
	# limit: 180
	start funcgraph -H
	reads 3
	ok 'lines' wait_for 100 shows funcgraph 3
	finish
	num_eq 'header' "$(grep -c '^# CPU  DURATION' out)" 1
	is 'first line' "$(head -n 1 out)" '# tracer: function_graph'
}

case_retval() { # -r: return values, or status 4 with the option's name
	# limit: 180
	if [ ! -e "$TRACEFS/options/funcgraph-retval" ]; then
		run funcgraph -r -d 1 vfs_read
		rc_is 4
		err_has 'CONFIG_FUNCTION_GRAPH_RETVAL'
		return
	fi
	graph_writes 3 -r -m 1 vfs_write
	num_eq 'values' "$(grep -Ec 'vfs_write\(\); /\* (ret=|= )0x1 \*/$' out)" 3
}

case_args() { # -A: arguments, or status 4 with the option's name
	# limit: 180
	if [ ! -e "$TRACEFS/options/funcgraph-args" ]; then
		run funcgraph -A -d 1 vfs_read
		rc_is 4
		err_has 'CONFIG_FUNCTION_TRACE_ARGS'
		return
	fi
	graph_writes 3 -A -m 1 vfs_write
	num_eq 'arguments' "$(grep -Ec 'vfs_write\(file=0x.*count=(0x)?1, .*\);' out)" 3
}

case_pid() { # -p and -L: this process alone; -f: its children too
	# requires: options/function-fork
	# limit: 180
	worker one go1
	one=$worker
	worker two go2
	trace_d -P -m 1 -L "$one" vfs_write
	writes 5 >go1
	writes 7 >go2
	wait "$one" "$worker"
	finish
	num_eq '-L' "$(grep -c "one-$one .*vfs_write()" out)" 5
	num_eq 'and no other' "$(grep -c 'vfs_write()' out)" 5
	for follow in '' -f; do
		wanted=3
		[ ! "$follow" ] || wanted=5
		worker parent go
		# shellcheck disable=SC2086
		trace_d -m 1 $follow -p "$worker" write_null
		echo "$(writes 3); (echo >/dev/null; (echo >/dev/null))" >go
		wait "$worker"
		finish
		num_eq "with '$follow'" "$(grep -c 'write_null()' out)" "$wanted"
	done
}

case_everything() { # all functions are refused without -F, however they are asked for
	# limit: 180
	# once
	for pattern in '*' '* ' 'read_zero *' '**' '?*' '/./' '[a-z]*'; do
		run funcgraph -d 1 "$pattern"
		is "$pattern: status" "$rc" 2
		err_has ' -F |too many'
	done
	run funcgraph -d 1
	rc_is 2
	run funcgraph -d 1 read_zero '*'
	rc_is 2
}

case_forced() { # -F graphs everything
	# limit: 180
	# once
	run funcgraph -F -m 1 -d 0.2 -b 512
	rc_is 0
	ok 'many functions' test "$(sed -n 's/.*|  \([a-z_0-9.]*\)(.*/\1/p' out | sort -u | wc -l)" -gt 3
}

case_not_itself() { # -d with vfs_*: ends, and shows others alone
	# limit: 180
	# The tracer shows seven letters of a name.
	cp /usr/bin/dd customer
	while :; do
		./customer if=/dev/zero of=/dev/null bs=777 count=5 status=none
		sleep 0.2
	done &
	at_end "kill $!"
	run funcgraph -P -m 1 -d 1 'vfs_*'
	rc_is 0
	out_has ' custome-[0-9]+ .*vfs_'
	is 'own lines' "$(grep -Ec '\) +(dd|awk|funcgraph)-[0-9]+ ' out)" 0
	: >err
	ft_bg funcgraph -m 1 'vfs_*' >out 2>err
	started funcgraph
	sleep 1
	finish
	is 'status' "$rc" 0
}

# foreign_state - what somebody else has at the top level
foreign_state() {
	cat "$TRACEFS/current_tracer" "$TRACEFS/set_ftrace_filter" "$TRACEFS/set_graph_function" \
		"$TRACEFS/max_graph_depth" "$TRACEFS/tracing_on" "$TRACEFS/trace_options" "$TRACEFS/set_event" "$TRACEFS/tracing_thresh"
}

case_beside() { # beside somebody's function tracer: in an instance where the kernel can, else refused; theirs stays
	# limit: 180
	at_end "echo >$TRACEFS/set_ftrace_filter"
	at_end "echo nop >$TRACEFS/current_tracer"
	echo write_null >"$TRACEFS/set_ftrace_filter"
	echo function >"$TRACEFS/current_tracer"
	foreign=$(foreign_state)
	case $KEY in
	[2-5].* | 6.1)
		run funcgraph -d 1 read_zero
		rc_is 5
		err_has "tracer 'function' is active"
		;;
	*)
		trace_d -m 1 read_zero
		reads 23
		is 'top level while tracing' "$(cat "$TRACEFS/current_tracer" "$TRACEFS/set_ftrace_filter")" 'function
write_null'
		finish
		num_eq 'calls' "$(lines funcgraph)" 23
		;;
	esac
	is 'foreign state' "$(foreign_state)" "$foreign"
}

case_busy() { # what somebody else's setting would change in the graph is a reason to refuse, and it stays
	# limit: 180
	at_end "echo >$TRACEFS/set_graph_function; echo 0 >$TRACEFS/max_graph_depth; echo 0 >$TRACEFS/tracing_thresh"
	for setting in set_graph_function=vfs_write max_graph_depth=3 tracing_thresh=1000; do
		file=${setting%=*}
		echo "${setting#*=}" >"$TRACEFS/$file"
		before=$(cat "$TRACEFS/$file")
		run funcgraph -d 1 -m 1 read_zero
		is "$file: status" "$rc" 5
		err_has "$file"
		is "$file: still theirs" "$(cat "$TRACEFS/$file")" "$before"
		case $file in
		set_graph_function) echo >"$TRACEFS/$file" ;;
		*) echo 0 >"$TRACEFS/$file" ;;
		esac
	done
}

case_event_busy() { # kernels that graph at the top level only: somebody's event there is a reason to refuse
	# limit: 180
	at_end "echo 0 >$TRACEFS/events/sched/sched_process_exec/enable"
	echo 1 >"$TRACEFS/events/sched/sched_process_exec/enable"
	run funcgraph -d 0.5 -m 1 read_zero
	case $KEY in
	[2-5].* | 6.1) rc_is 5 ;;
	*) rc_is 0 ;;
	esac
	is 'still on' "$(cat "$TRACEFS/events/sched/sched_process_exec/enable")" 1
}

case_unknown() { # no such function: status 7, the close names
	# limit: 180
	# once
	run funcgraph -m 3 vfs_raed
	rc_is 7
	err_has "^funcgraph: no function matches 'vfs_raed'\. Close: vfs_read"
	run funcgraph -x vfs_raed vfs_read
	rc_is 7
	run funcgraph 'nosuch_*'
	rc_is 7
	for value in 0 x -1; do
		run funcgraph -m "$value" vfs_read
		rc_is 2
		run funcgraph -M "$value" vfs_read
		rc_is 2
	done
}

case_untaken() { # a glob of more functions than the kernel takes to graph: what is not traced is told
	# requires: set_graph_function
	local all taken
	all=$(grep -c '^proc_' "$TRACEFS/available_filter_functions")
	num_between 'functions that match' "$all" 33 499
	run funcgraph -d 0.1 'proc_*'
	rc_is 0
	taken=$(sed -n 's/^Tracing \([0-9]*\) functions.*/\1/p' err)
	if [ "$taken" = "$all" ]; then
		is 'nothing to tell' "$(grep -c 'Not in it' err)" 0
	else
		err_has "^funcgraph: the kernel takes $taken of $all functions into set_graph_function: .*Not in it: proc_.* more$"
	fi
}
