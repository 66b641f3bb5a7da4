# shellcheck shell=sh
# stream.sh - what all streaming commands share: live and buffered output, signals, losses, output errors, options
# SPDX-License-Identifier: GPL-2.0-only
# concerns: functrace funcgraph tpoint kprobe
# requires: tracer:function_graph, kprobe_events, events/syscalls/sys_enter_read

. /tests/vm/guest/streaming.sh

case_live() { # live: the line of an event is there soon, then a line each, and nothing else on stderr
	# limit: 240
	for tool in $STREAMS; do
		start "$tool"
		reads 1
		ok "$tool: the first line comes while it runs" wait_for 100 shows "$tool" 1
		reads 229
		finish
		num_eq "$tool: lines" "$(lines "$tool")" 230
		is "$tool: status after INT" "$rc" 0
		quiet
	done
}

case_buffered() { # -d: one line each, printed at the end; INT before the end prints what there is
	# limit: 240
	# each shell
	for tool in $STREAMS; do
		start "$tool" -d 600
		reads 230
		is "$tool: nothing before the end" "$(cat out)" ''
		finish
		num_eq "$tool: lines" "$(lines "$tool")" 230
		is "$tool: status after INT" "$rc" 0
		quiet
	done
}

case_duration() { # -d ends by itself, with status 0, and with nothing to show too
	# limit: 240
	for tool in $STREAMS; do
		stream run "$tool" -d 0.5
		rc_is 0
		is "$tool: output" "$(cat out)" ''
		err_has '^Tracing .* for 0\.5 seconds\.\.\.'
	done
}

case_int_while_printing() { # INT during -d prints all of a long buffer, however slow it is taken
	# limit: 180
	# each shell
	mkfifo pipe
	{
		# Slowly at first: the report takes longer than any grace time.
		dd bs=8192 count=2 status=none
		sleep 1
		cat
	} <pipe >out &
	: >err
	stream ft_bg functrace -d 600 -b 8192 >pipe 2>err
	started functrace
	reads 20000
	finish
	is 'status' "$rc" 0
	wait
	num_eq 'lines' "$(lines functrace)" 20000
	quiet
}

case_int_twice() { # a second INT during the report ends it at once
	# limit: 180
	# each shell
	mkfifo pipe
	# The pipe is full and nobody reads.
	exec 8<>pipe
	: >err
	stream ft_bg functrace -d 600 -b 8192 >pipe 2>err
	started functrace
	reads 20000
	kill -INT "$bg_pid"
	sleep 1
	ok 'still printing' kill -0 "$bg_pid"
	finish
	is 'status' "$rc" 0
	exec 8<&-
}

case_signals_idle() { # each signal to the tool alone ends an idle stream
	# limit: 240
	# each shell
	for tool in $STREAMS; do
		for signal in INT:0 TERM:143 HUP:129 QUIT:131 PIPE:141; do
			[ "$tool" = kprobe ] || [ "$signal" = TERM:143 ] || continue
			start "$tool"
			finish_by "${signal%:*}"
			is "$tool: status after $signal" "$rc" "${signal#*:}"
			quiet
		done
	done
}

case_signals_busy() { # each signal ends a stream that has more to print than it can, and losses are told
	# limit: 240
	# once
	busy_reads &
	at_end "kill $!"
	for tool in $STREAMS; do
		for signal in INT:0 TERM:143 HUP:129 QUIT:131 PIPE:141; do
			[ "$tool" = functrace ] || [ "$signal" = INT:0 ] || continue
			start "$tool"
			ok "$tool: lines" wait_for 100 shows "$tool" 100
			finish_by "${signal%:*}"
			is "$tool: status after $signal" "$rc" "${signal#*:}"
		done
	done
}

case_ctrl_c() { # Ctrl-C reaches all processes of the tool at once and costs no line
	# limit: 180
	# each shell
	for tool in functrace tpoint; do
		start "$tool"
		reads 3000
		finish_group
		is "$tool: status" "$rc" 0
		num_eq "$tool: lines and losses" $(($(lines "$tool") + $(lost))) 3000
	done
}

# finish_group - Ctrl-C: INT to the tool's process group
finish_group() {
	kill -INT "-$bg_pid"
	rc=0
	wait "$bg_pid" || rc=$?
}

case_term_buffered() { # TERM and HUP during -d print what there is, and the status says how it ended
	# limit: 180
	# each shell
	for signal in TERM:143 HUP:129; do
		start kprobe -d 600
		reads 23
		finish_by "${signal%:*}"
		is 'status' "$rc" "${signal#*:}"
		num_eq 'lines' "$(lines kprobe)" 23
		quiet
	done
}

case_head() { # `| head -1` ends a stream at the next event, without a word
	# limit: 240
	# each shell
	while :; do
		reads 1
		sleep 0.2
	done &
	at_end "kill $!"
	head_of_each
}

case_head_busy() { # `| head -1` on a stream with thousands of events a second
	# limit: 240
	# once
	busy_reads &
	at_end "kill $!"
	head_of_each
}

# head_of_each - the first line of each stream, how the tool ended, and what it said
head_of_each() {
	for tool in $STREAMS; do
		{
			rc=0
			stream ft "$tool" 2>err || rc=$?
			echo "$rc" >status
		} | head -n 1 >out
		ok "$tool: ends" wait_for 100 test -s status
		is "$tool: status" "$(cat status)" 141
		rm status
		num_eq "$tool: lines" "$(wc -l <out)" 1
		is "$tool: no error text" "$(grep -v -e '^Tracing' -e ': lost [0-9]' err)" ''
	done
}

case_stdout_full() { # stdout on a full disk: status 9, and everything is undone
	# limit: 240
	# each shell
	busy_reads &
	at_end "kill $!"
	for tool in $STREAMS; do
		rc=0
		stream ft "$tool" >/dev/full 2>err || rc=$?
		is "$tool: status" "$rc" 9
		is "$tool: says so" "$(grep -c 'cannot write' err)" 1
		rc=0
		stream ft "$tool" -d 0.3 >/dev/full 2>err || rc=$?
		is "$tool -d: status" "$rc" 9
	done
}

case_stdout_closed() { # closed stdout: status 9; closed stderr: no matter
	# limit: 180
	# each shell
	busy_reads &
	reader=$!
	at_end "kill $reader"
	for options in '' '-d 0.3' -H; do
		rc=0
		# shellcheck disable=SC2086
		stream ft functrace $options >&- 2>err || rc=$?
		is "status with ${options:-no option}" "$rc" 9
	done
	rc=0
	stream ft functrace -d 0.3 >out 2>&- || rc=$?
	is 'status' "$rc" 0
	ok 'lines' shows functrace 1
	nomatch 'no message among the data' "$(cat out)" 'Tracing|lost'
	rc=0
	stream ft functrace -d 0.3 >&- 2>&- <&- || rc=$?
	is 'status with nothing open' "$rc" 9
}

case_losses() { # a small buffer that is not read in time: printed and reported lost make up the whole
	# limit: 180
	mkfifo pipe
	exec 8<>pipe
	: >err
	stream ft_bg functrace -b 4 >pipe 2>err 8<&-
	started functrace
	reads 20000
	# Opened before the other end is closed: at no moment is there nobody who reads.
	exec 9<pipe
	cat <&9 >out 8<&- &
	exec 8<&- 9<&-
	finish
	is 'status' "$rc" 0
	wait
	ok 'some were lost' test "$(lost)" -gt 1000
	num_eq 'printed and lost' $(($(lines functrace) + $(lost))) 20000
	err_has 'lost [0-9]+ events \(CPU [01]: [0-9]+'
}

case_losses_buffered() { # -d with a buffer too small: the last events are printed, the others counted
	# limit: 180
	for tool in functrace tpoint; do
		start "$tool" -d 600 -b 8
		reads 5000
		finish
		is "$tool: status" "$rc" 0
		ok "$tool: some were lost" test "$(lost)" -gt 100
		num_eq "$tool: printed and lost" $(($(lines "$tool") + $(lost))) 5000
	done
}

case_header() { # -H: the kernel's column headers before the events, live and with -d
	# limit: 240
	for tool in functrace tpoint kprobe; do
		start "$tool" -H
		reads 3
		ok "$tool: lines" wait_for 100 shows "$tool" 3
		finish
		matches "$tool: header" "$(head -n 12 out)" '^# +TASK-PID +CPU# .*TIMESTAMP +FUNCTION'
		ok "$tool: headers come first" headers_first
		start "$tool" -H -d 600
		reads 3
		finish
		matches "$tool -d: header" "$(head -n 12 out)" '^# +TASK-PID +CPU# .*TIMESTAMP +FUNCTION'
		num_eq "$tool -d: lines" "$(lines "$tool")" 3
	done
}

# headers_first - is no line with # after one without?
headers_first() {
	awk '/^#/ { if (data) exit 1; next } { data = 1 } END { if (!data) exit 1 }' out
}

case_no_header() { # without -H stdout holds events and nothing else
	# limit: 180
	for tool in functrace tpoint kprobe; do
		start "$tool" -d 600
		reads 3
		finish
		num_eq "$tool: lines" "$(wc -l <out)" 3
	done
}

case_columns() { # a line has the kernel's own look: task-PID, CPU, flags, time, what happened
	# limit: 180
	head='^ +dd-[0-9]+ +\[00[01]\] [^ ]+ +[0-9]+\.[0-9]{6}: '
	start functrace -d 600
	reads 3
	finish
	num_eq 'functrace' "$(grep -Ec "$head"'read_zero <-[a-z_0-9.]+$' out)" 3
	start tpoint -d 600
	reads 3
	finish
	num_eq 'tpoint' "$(grep -Ec "$head"'sys_read\(fd: 0, buf: (0x)?[0-9a-f]+, count: (0x)?309\)$' out)" 3
	start kprobe -d 600
	reads 3
	finish
	num_eq 'kprobe' "$(grep -Ec "$head"'read_zero: \(read_zero\+0x[04]/0x[0-9a-f]+\)$' out)" 3
}

case_usage() { # what can be refused without the kernel is, with status 2 or 6 and one line
	# limit: 240
	# once
	(:) &
	gone=$!
	wait "$gone"
	for tool in $STREAMS; do
		for options in '-d x' '-d 0' '-d -1' '-d 08' '-d 1e3' '-b 0' '-b x' '-p 0' '-p x' '-p 1 -L 1' -f -Z; do
			# shellcheck disable=SC2086
			stream run "$tool" $options
			is "$tool $options: status" "$rc" 2
			is "$tool $options: one line" "$(wc -l <err)" 1
			is "$tool $options: no output" "$(cat out)" ''
		done
		for option in -p -L; do
			stream run "$tool" "$option" "$gone"
			is "$tool $option gone: status" "$rc" 6
			matches "$tool" "$(cat err)" "no process $gone"
		done
		for options in '' -c -d; do
			# shellcheck disable=SC2086
			run "$tool" $options
			is "$tool $options: status" "$rc" 2
		done
		run "$tool" -h
		rc_is 0
		ok "$tool -h: length" test "$(wc -l <out)" -le 24
		is "$tool -h: width" "$(grep -E '.{81}' out)" ''
		out_has '^eg,$'
		is "$tool -h: stderr" "$(cat err)" ''
	done
}

case_empty_value() { # an empty option value is refused, not taken for something
	# limit: 180
	for option in -d -b -p -L; do
		stream run functrace "$option" ''
		is "functrace $option '': status" "$rc" 2
	done
}

case_clock() { # -c chooses the clock; one that does not exist is refused with the list
	# limit: 180
	# The usual clock is mono: the time since boot.
	start functrace
	reads 1
	ok 'a line' wait_for 100 shows functrace 1
	finish
	read -r up rest </proc/uptime
	num_between 'mono' "$(awk '/ read_zero / { sub(/:$/, "", $(NF - 2)); print $(NF - 2) }' out)" $((${up%.*} - 30)) $((${up%.*} + 1))
	start functrace -c counter
	reads 2
	ok 'lines' wait_for 100 shows functrace 2
	finish
	num_eq 'counter has no fraction' "$(grep -Ec ' [0-9]+: read_zero ' out)" 2
	stream run functrace -c sundial
	rc_is 2
	err_has "no clock 'sundial'.*mono"
}

case_odd_options() { # options set at the top level by somebody else change no line
	# limit: 240
	odd='hex bin raw verbose stacktrace nocontext-info nooverwrite sym-addr sym-offset latency-format noprint-parent'
	for option in $odd; do
		[ -e "$TRACEFS/options/${option#no}" ] || continue
		echo "$option" >"$TRACEFS/trace_options"
		case $option in
		no*) at_end "echo ${option#no} >$TRACEFS/trace_options" ;;
		*) at_end "echo no$option >$TRACEFS/trace_options" ;;
		esac
	done
	# Live, the kernel may not know the name yet.
	head='^ +(dd|<\.\.\.>)-[0-9]+ +\[00[01]\] [^ ]+ +[0-9]+\.[0-9]{6}: '
	for mode in '-d 600' ''; do
		# shellcheck disable=SC2086
		start functrace $mode
		reads 3
		sleep 0.3
		finish
		num_eq 'functrace' "$(grep -Ec "$head"'read_zero <-[a-z_0-9.]+$' out)" 3
		num_eq 'and no other line' "$(wc -l <out)" 3
	done
	if [ "$KEY" = 6.1 ] || [ "${KEY%%.*}" -lt 6 ]; then
		stream run funcgraph -d 1
		rc_is 5
		err_has "option '(bin|hex|raw|verbose)'"
	else
		start funcgraph -d 600
		reads 3
		finish
		num_eq 'funcgraph' "$(grep -Ec '^ [01]\) .* us +\|  read_zero\(\);' out)" 3
	fi
}

case_tracing_off_before() { # tracing_on 0 at the top level: events come all the same, and it is 0 again
	# limit: 240
	echo 0 >"$TRACEFS/tracing_on"
	at_end "echo 1 >$TRACEFS/tracing_on"
	for tool in $STREAMS; do
		start "$tool" -d 600
		reads 3
		finish
		num_eq "$tool: lines" "$(lines "$tool")" 3
		is "$tool: tracing_on" "$(cat "$TRACEFS/tracing_on")" 0
	done
}

case_ftrace_disabled() { # kernel.ftrace_enabled = 0: functions are traced all the same, and it is 0 again
	# limit: 180
	{ echo 0 >/proc/sys/kernel/ftrace_enabled; } 2>/dev/null || skip 'this kernel does not let it be switched off'
	at_end 'echo 1 >/proc/sys/kernel/ftrace_enabled'
	for tool in functrace funcgraph; do
		start "$tool" -d 600
		err_has 'ftrace_enabled'
		reads 3
		finish
		num_eq "$tool: lines" "$(lines "$tool")" 3
		is "$tool: ftrace_enabled" "$(cat /proc/sys/kernel/ftrace_enabled)" 0
	done
}

case_no_event() { # five seconds without an event: one hint, and the stream goes on
	# limit: 180
	# once
	start tpoint
	ok 'hint' wait_for 100 grep -q '^tpoint: no event in 5 seconds' err
	reads 1
	ok 'a line all the same' wait_for 100 shows tpoint 1
	finish
	is 'status' "$rc" 0
	is 'one hint' "$(grep -vc '^Tracing' err)" 1
}

case_comm() { # names with blanks, colons and what looks like a PID come out whole, with the right PID
	# limit: 180
	# shellcheck disable=SC2016 # a name, no command
	for name in 'tmux: server' 'a-1 b' 'dd_worker thr' '%s$(id)'; do
		worker "$name" go
		: >err
		# Not live: until its first switch the kernel does not know the name.
		ft_bg functrace -d 600 -p "$worker" write_null >out 2>err
		started functrace
		writes 3 >go
		wait "$worker"
		finish
		is "$name" "$(cut -d '[' -f 1 out | sort | uniq -c | tr -s ' ')" " 3 $name-$worker "
	done
}

case_forgotten_names() { # a name that the kernel has forgotten comes from /proc while its process lives
	# limit: 180
	# The kernel remembers 128 names; each of the short-lived processes pushes one out.
	number=$(cat "$TRACEFS/saved_cmdlines_size")
	[ "$number" -lt 1000 ] || skip "this kernel remembers $number names"
	: >err
	worker 'quiet one' go
	ft_bg functrace -d 600 write_null >out 2>err
	started functrace
	echo "$(writes 1); read -r line <go" >go
	n=$((number + 97))
	while [ "$n" -gt 0 ]; do
		(echo >/dev/null)
		n=$((n - 1))
	done
	finish
	echo >go
	num_eq 'lines' "$(wc -l <out)" $((number + 98))
	matches 'the one that lives' "$(cat out)" "^ +quiet one-$worker +\\["
	matches 'those that are gone' "$(cat out)" '^ +<\.\.\.>-[0-9]+ +\['
}
