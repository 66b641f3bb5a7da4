# shellcheck shell=sh
# modtrace.sh - modtrace: list, count, stream, graph, filter writes, waiting for a module, on loop, dummy and xfs
# SPDX-License-Identifier: GPL-2.0-only
# requires: set_ftrace_filter, tracer:function
#
# The work is writes to a loop device, each its own request: one call of loop_queue_rq.

. /tests/vm/guest/streaming.sh
. /tests/vm/guest/filters.sh

# trace ARG... - modtrace in the background, into out and err; returns when it traces
trace() {
	: >err
	ft_bg modtrace "$@" >out 2>err
	started modtrace
}

# listing MODULE [ERE] - the lines of its functions in the kernel's list, sorted
listing() {
	grep -F "[$1]" "$TRACEFS/available_filter_functions" | grep -E -e "${2:-.}" | sort
}

case_list() { # -l: the module's functions as the kernel lists them
	# limit: 180
	need_module loop
	need_module dummy
	run modtrace -l loop
	rc_is 0
	is 'loop' "$(sort out)" "$(listing loop)"
	is 'stderr' "$(cat err)" ''
	run modtrace -l loop dummy
	is 'two modules' "$(sort out)" "$({ listing loop && listing dummy; } | sort)"
	run modtrace -l loop 'lo_*' '!lo_release'
	is 'narrowed' "$(sort out)" "$(listing loop '^lo_' | grep -v '^lo_release ')"
	run modtrace -l loop dummy '/open|xmit/'
	is 'a regex in two modules' "$(sort out)" "$({ listing loop open && listing dummy xmit; } | sort)"
	ft modtrace -l loop 2>err | head -n 1 >out
	num_eq 'lines for a reader of one' "$(wc -l <out)" 1
	is 'stderr' "$(cat err)" ''
	rc=0
	ft modtrace -l loop >/dev/full 2>err || rc=$?
	rc_is 9
}

case_unknown() { # no such module, function or option: the status, and one line that says why
	# limit: 180
	need_module loop
	run modtrace -l nosuch
	rc_is 7
	err_has "^modtrace: no module 'nosuch' is loaded"
	run modtrace lop
	rc_is 7
	run modtrace -d 1 loop no_such_function
	rc_is 7
	run modtrace -l loop lo_relaese
	rc_is 7
	err_has 'Close: lo_release\b'
	for name in bpf __builtin__ftrace; do
		run modtrace -l "$name"
		rc_is 7
	done
	for args in '' '-l -c loop' '-t 3 loop' '-i 1 loop' '-w -l loop' '-w -n loop' '-z loop' '-d x loop' '-o' '!x loop' '-p 0 loop'; do
		# shellcheck disable=SC2086 # words
		run modtrace $args
		rc_is 2
		num_eq "'$args': lines on stderr" "$(wc -l <err)" 1
	done
	sleep 0 &
	wait "$!"
	run modtrace -p "$!" loop
	rc_is 6
	run modtrace -h
	rc_is 0
	out_has '^usage: modtrace '
}

case_count() { # -c: exact counts of the module's functions, by both engines, with the module's name
	# limit: 180
	local engine
	loop_ready
	for engine in kprobe trace; do
		: >err
		ft_bg modtrace -c -v -e "$engine" loop >out 2>err
		started modtrace
		err_has "^engine: $engine "
		w_loop 23
		finish
		rc_is 0
		out_has '^loop_queue_rq \[loop\]  *23$'
		is "$engine: no function of anybody else" "$(awk 'NR > 2 && $2 != "[loop]"' out)" ''
		is "$engine: the smallest first" "$(awk 'NR > 2 { print $NF }' out)" "$(awk 'NR > 2 { print $NF }' out | sort -n)"
	done
}

case_count_options() { # -c with -i, -d and -t
	loop_ready
	: >err
	ft_bg modtrace -c -i 1 -d 2 -t 1 loop 'loop_queue_r*' lo_release >out 2>err
	started modtrace
	w_loop 23
	rc=0
	wait "$bg_pid" || rc=$?
	rc_is 0
	num_eq 'tables' "$(grep -c '^FUNC' out)" 2
	num_eq 'requests in both' "$(awk '$1 == "loop_queue_rq" { n += $NF } END { print n }' out)" 23
}

case_stream() { # every call with its caller, live and for a duration, with the header
	# limit: 180
	loop_ready
	trace -H loop loop_queue_rq
	w_loop 23
	ok 'all arrive' wait_for 60 sh -c "[ \$(grep -c ' loop_queue_rq <-' out) = 23 ]"
	finish
	rc_is 0
	num_eq 'headers' "$(grep -c '^#.*TASK-PID' out)" 1
	num_eq 'calls' "$(grep -vc '^#' out)" 23
	trace -d 600 loop
	w_loop 23
	finish
	num_eq 'requests' "$(grep -c ' loop_queue_rq <-' out)" 23
	ok 'other functions as well' test "$(awk '{ sub(/ <-.*/, ""); print $NF }' out | sort -u | wc -l)" -gt 2
	is 'nothing but functions of the module' "$(awk '{ sub(/ <-.*/, ""); print $NF }' out | sort -u | grep -v -x -F -e "$(module_functions loop .)")" ''
}

case_stacks() { # -s: a stack with each call
	loop_ready
	trace -s -d 600 loop loop_queue_rq
	w_loop 3
	finish
	num_eq 'calls' "$(grep -c ' loop_queue_rq <-' out)" 3
	num_eq 'stacks' "$(grep -c '<stack trace>' out)" 3
}

case_process() { # -p: one process only
	need_module loop
	: >img
	worker target job
	trace -d 600 -p "$worker" loop 'lo_release:mod:loop' lo_release
	# shellcheck disable=SC2016 # for the worker
	printf 'n=7; while [ $n -gt 0 ]; do : </dev/loop0; n=$((n - 1)); done\n' >job
	: </dev/loop0
	wait "$worker"
	: </dev/loop0
	finish
	num_eq 'released by that process' "$(grep -c ' lo_release <-' out)" 7
	num_eq 'lines' "$(wc -l <out)" 7
}

case_graph() { # -g: the module's functions as a call graph
	# requires: tracer:function_graph
	loop_ready
	trace -g -d 600 loop
	w_loop 23
	finish
	rc_is 0
	num_eq 'requests' "$(grep -Ec 'loop_queue_rq( \[loop\])?\(\)( \{|;)' out)" 23
	out_has '[0-9.]+ us '
}

case_dry() { # -n: the writes, which give the same functions when done by hand, and nothing is written
	# limit: 180
	local dir
	need_module loop
	dir=$TRACEFS/instances/by_hand
	mkdir "$dir"
	at_end "rmdir $dir"
	run modtrace -n loop
	is 'one module' "$(cat out)" 'set_ftrace_filter <- :mod:loop'
	err_has '1 write, [0-9]+ functions'
	by_hand "$dir" "$(listing loop '^lo_' | grep -v '^lo_release ')" loop 'lo_*' '!lo_release'
	by_hand "$dir" "$(listing loop 'ioctl|open')" loop '/ioctl|open/'
}

# by_hand DIR LISTING ARG... - do what modtrace -n ARG... shows to the filter of DIR: does that list these functions?
by_hand() {
	local dir want
	dir=$1 want=$2
	shift 2
	run modtrace -n "$@"
	rc_is 0
	: >"$dir/set_ftrace_filter"
	while IFS= read -r line; do
		matches 'the form' "$line" '^set_ftrace_filter <- .'
		echo "${line#*<- }" >>"$dir/set_ftrace_filter"
	done <out
	is "$*" "$(grep -v '^#' "$dir/set_ftrace_filter" | sort)" "$want"
}

case_file() { # -o: a file that gives the same functions as @FILE
	# limit: 180
	local name
	need_module loop
	name='a list'
	run modtrace -o "$name" loop
	rc_is 0
	is 'stdout' "$(cat out)" ''
	is 'the file' "$(sort "$name")" "$(listing loop)"
	filter_is '' "$(module_functions loop .)" "@$name"
	# What cannot be made leaves what was there.
	run modtrace -o "$name" loop nosuchfunction
	rc_is 7
	is 'the file afterwards' "$(sort "$name")" "$(listing loop)"
	run modtrace -o nofolder/x loop
	rc_is 9
	err_has 'cannot write nofolder/x'
	run modtrace -o /dev/full loop
	rc_is 9
	ok '/dev/full is still there' test -c /dev/full
}

case_several() { # several modules, and names with dashes
	local want
	need_module loop
	need_module dummy
	want=$({ module_functions loop . && module_functions dummy .; } | sort)
	trace loop dummy
	is 'loop and dummy' "$(functions_of modtrace)" "$want"
	finish
	trace loop dummy '!lo_*'
	is 'without lo_*' "$(functions_of modtrace)" "$(printf '%s\n' "$want" | grep -v '^lo_')"
	finish
}

# big_filter WAY - the filter of "modtrace xfs" by that way, sorted, into WAY.txt
big_filter() {
	FIELDTRACE_FILTER=$1
	export FIELDTRACE_FILTER
	trace -d 600 xfs
	unset FIELDTRACE_FILTER
	functions_of modtrace >"$1.txt"
	finish
}

# words_take - the functions that the words on stdin take, as the kernel reads them: a name, or a beginning and a star
words_take() {
	mawk 'FNR == NR { if (sub(/[*]$/, "")) front[$1] = length($1); else name[$1] = 1; next }
		{ hit = $1 in name; for (p in front) if (substr($1, 1, front[p]) == p) hit = 1; if (hit) print $1 }' \
		- "$TRACEFS/available_filter_functions"
}

case_large() { # the ways to a filter give the same functions of a large module
	# once
	# limit: 300
	local way
	need_module xfs
	module_functions xfs . >want.txt
	# 2,541 functions on 5.10, 5,389 on 7.3
	ok 'a large module' test "$(wc -l <want.txt)" -gt 2500
	# The kallsyms way writes index numbers.
	for way in native kallsyms; do
		big_filter "$way"
		ok "$way" cmp "$way.txt" want.txt
	done
	# A name or a prefix costs the kernel a walk over its list, so they are not set: what they would take is compared.
	FIELDTRACE_FILTER=kallsyms
	export FIELDTRACE_FILTER
	run modtrace -n xfs
	# A name means every function of that name, elsewhere too (stats_show): once each.
	sort -u want.txt >once.txt
	is 'names' "$(sed 's/.*<- //' out | tr ' ' '\n' | words_take | sort -u | cmp - once.txt)" ''
}

case_opens() { # K62: the kernel's list is read at most once
	# once
	# limit: 240
	need_module dummy
	opens native 'modtrace -l dummy'
	opens native 'modtrace -n dummy'
	opens kallsyms 'modtrace -n dummy'
	opens native 'modtrace -o list dummy'
	opens native 'modtrace -d 0.1 dummy'
	opens native 'modtrace -c -d 0.1 dummy'
	opens native 'modtrace -d 0.1 dummy dumy_xmit'
	num_eq 'the miss read it' "$opened" 1
}

# can_wait - does the kernel keep ":mod:" for a module to come?
can_wait() {
	mkdir "$TRACEFS/instances/probe" || return
	at_end "rmdir $TRACEFS/instances/probe"
	echo :mod:dummy >"$TRACEFS/instances/probe/set_ftrace_filter"
}

case_wait() { # -w: a module that is loaded meanwhile is traced from its init on, and nothing before
	# limit: 180
	can_wait || skip 'this kernel does not wait for modules'
	at_end 'unload dummy'
	for mode in stream duration count graph; do
		[ "$mode" != graph ] || grep -q function_graph "$TRACEFS/instances/probe/available_tracers" || continue
		case $mode in
		stream) trace -w dummy ;;
		duration) trace -w -d 600 dummy ;;
		count) trace -w -c dummy ;;
		graph) trace -w -g -d 600 dummy ;;
		esac
		err_has '^modtrace: waiting for dummy to be loaded'
		insmod /modules/dummy.ko || fail 'insmod'
		sleep 0.5
		finish
		rc_is 0
		case $mode in
		stream | duration)
			# Live, a line that is read while the kernel drops the names of init functions has the next lower one of
			# the module instead. With -d it is read later.
			is "$mode: the init function comes first" "$(awk 'NR == 1 { print $NF }' out)" '<-do_one_initcall'
			[ "$mode" = stream ] || out_has ' dummy_init_module <-do_one_initcall'
			num_eq 'a device is set up once' "$(grep -c ' dummy_setup <-' out)" 1
			is "$mode: nobody else's function" \
				"$(awk 'NR > 1 { sub(/ <-.*/, ""); print $NF }' out | grep -Ev '^(dummy_|set_multicast_list)')" ''
			;;
		count) out_has '^dummy_setup( \[dummy\])?  *1$' ;;
		graph) out_has 'dummy_setup( \[dummy\])?\(\)' ;;
		esac
		unload dummy
	done
}

case_wait_loaded() { # -w with a module that is there already is no wait, and with one of two it is
	can_wait || skip 'this kernel does not wait for modules'
	need_module loop
	at_end 'unload dummy'
	trace -w loop lo_release
	is 'stderr' "$(grep -c waiting err)" 0
	is 'its filter' "$(functions_of modtrace)" lo_release
	finish
	trace -w dummy loop
	err_has 'waiting for dummy '
	insmod /modules/dummy.ko || fail 'insmod'
	: </dev/loop0
	sleep 0.3
	finish
	out_has ' dummy_setup <-'
	out_has ' lo_release <-'
	run modtrace -w nosuch '/regex/'
	rc_is 2
}

case_own_output() { # K68: the output goes to the file system whose module is traced: the run ends all the same
	# once
	# limit: 240
	xfs_mount
	rc=0
	: >err
	ft modtrace -d 2 xfs 'xfs_file_*' >"$XFS/out" 2>err || rc=$?
	rc_is 0
	rm -f "$XFS/out"
	: >err
	ft_bg modtrace xfs 'xfs_file_*' >"$XFS/out" 2>err
	started modtrace
	echo text >"$XFS/text"
	sleep 1
	finish
	rc_is 0
	# By PID: the kernel may not have met its name yet.
	ok 'the write is there' grep -q -e "-$$ .* xfs_file_\(buffered_write\|write_iter\|buffered_aio_write\) <-" "$XFS/out"
	rm -f "$XFS/out" "$XFS/text"
}

case_two_at_once() { # K12: two runs at once do not disturb each other
	local first
	loop_ready
	trace -d 600 loop loop_queue_rq
	first=$bg_pid
	mv out out1
	: >err
	ft_bg modtrace -c -e kprobe loop loop_queue_rq >out2 2>err
	started modtrace
	w_loop 7
	finish
	bg_pid=$first
	finish
	num_eq 'calls' "$(grep -c ' loop_queue_rq <-' out1)" 7
	matches 'count' "$(cat out2)" '^loop_queue_rq \[loop\]  *7$'
}

case_killed() { # K14: after kill -9 the next run of another command removes what was left
	need_module loop
	trace loop
	kill -9 "$bg_pid"
	wait "$bg_pid" 2>/dev/null
	ok 'its instance is left' ls -d "$TRACEFS"/instances/ft.modtrace.*
	run funccount -d 0.1 read_zero
	rc_is 0
	err_has 'cleaning up after a run that is gone'
	nomatch 'instances' "$(ls "$TRACEFS/instances")" '^ft\.'
}
