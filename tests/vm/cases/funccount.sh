# shellcheck shell=sh
# funccount.sh - funccount: each engine's counts against known numbers, intervals, options, patterns, refusals
# SPDX-License-Identifier: GPL-2.0-only
# requires: set_ftrace_filter, tracer:function
#
# The work is reads of /dev/zero and writes to /dev/full (one a dd, which then gives up): nobody else does these.

. /tests/vm/guest/streaming.sh
. /tests/vm/guest/filters.sh

# count ARG... - funccount in the background, into out and err; returns when it counts
count() {
	: >err
	ft_bg funccount "$@" >out 2>err
	started funccount
}

# full N - N writes to /dev/full
full() {
	local left
	left=$1
	echo x >full.in
	while [ "$left" -gt 0 ]; do
		/bb/dd if=full.in of=/dev/full bs=1 count=1 status=none 2>/dev/null
		left=$((left - 1))
	done
}

# total FUNC - the sum of its counts in all tables of out
total() {
	awk -v fn="$1" '$1 == fn { n += $NF } END { print n + 0 }' out
}

# tables - how many tables out has
tables() {
	grep -c '^FUNC  *COUNT$' out
}

# ended - wait for a tool that ends by itself; its status in $rc
ended() {
	rc=0
	wait "$bg_pid" || rc=$?
}

# exact ENGINE - both functions, exactly, with perf-tools' columns, the smallest first
exact() {
	count -v -e "$1" read_zero write_full
	err_has "^engine: $1 \(2 functions,"
	full 5
	reads 23
	finish
	rc_is 0
	is "$1: stdout" "$(cat out)" "$(printf '\n%-30s %8s\n%-30s %8d\n%-30s %8d' FUNC COUNT write_full 5 read_zero 23)"
}

case_kprobe() { # the kprobe engine counts exactly
	# requires: kprobe_events
	exact kprobe
}

case_trace() { # the trace engine counts exactly
	exact trace
}

case_trace_many() { # the trace engine under a burst: every call is counted or said to be lost
	# once
	# limit: 180
	count -e trace -d 600 read_zero
	reads 20000
	finish
	num_eq 'counted and lost' "$(($(total read_zero) + $(lost)))" 20000
	num_between 'counted' "$(total read_zero)" 1000 20000
}

case_profile() { # the profiler, where the kernel has it
	# requires: function_profile_enabled
	exact profile
}

case_profile_lacking() { # -e profile without CONFIG_FUNCTION_PROFILER: status 4, with the option's name
	# requires: sh:test ! -e $TRACEFS/function_profile_enabled
	run funccount -e profile -d 1 read_zero
	rc_is 4
	err_has '^funccount: .*CONFIG_FUNCTION_PROFILER'
	num_eq 'lines on stderr' "$(wc -l <err)" 1
}

case_default() { # few functions get kprobes, many the profiler where there is one, else the tracer; -v says which
	# requires: kprobe_events
	few=kprobe many=trace
	if [ -e "$TRACEFS/function_profile_enabled" ]; then many=profile; fi
	# Nobody asked for a kprobe that is a trap.
	grep -q ' kprobe_ftrace_handler$' /proc/kallsyms || few=$many
	count -v read_zero
	finish
	err_has "^engine: $few \(1 function,"
	count -v 'tcp_*'
	finish
	err_has "^engine: $many \([0-9]+ functions,"
}

case_intervals() { # -i and -d: how many tables, and that nothing falls between two
	# limit: 180
	local engine table
	for engine in kprobe trace; do
		count -e "$engine" -i 1 -d 3 read_zero
		reads 100
		sleep 1
		reads 130
		ended
		rc_is 0
		num_eq "$engine: tables of -i 1 -d 3" "$(tables)" 3
		num_eq "$engine: sum" "$(total read_zero)" 230
	done
	for table in '0.4 1 3' '0.7 1 2' '5 0.5 1'; do
		# shellcheck disable=SC2086 # interval, duration, tables
		set -- $table
		count -i "$1" -d "$2" read_zero
		ended
		num_eq "tables of -i $1 -d $2" "$(tables)" "$3"
	done
}

case_timestamp() { # -T: the date above each table, between the blank line and the header
	local engine
	for engine in kprobe trace; do
		run funccount -T -e "$engine" -i 0.4 -d 0.8 read_zero
		rc_is 0
		is "$engine" "$(awk '/^FUNC/ { print a == "" ? "blank" : a, b ~ /[0-9][0-9]:[0-9][0-9]:[0-9][0-9].* 20[0-9][0-9]$/ } { a = b; b = $0 }' out | sort | uniq -c | tr -s ' ')" ' 2 blank 1'
	done
}

case_top() { # -t: the largest so many, smallest of them first
	local engine top
	for engine in kprobe trace; do
		count -e "$engine" -t 1 read_zero write_full
		full 5
		reads 23
		finish
		is "$engine" "$(awk 'NR > 2 { print $1 }' out)" read_zero
	done
	for top in 0 x -1 08 ''; do
		run funccount -t "$top" read_zero
		rc_is 2
		num_eq "-t '$top': lines on stderr" "$(wc -l <err)" 1
	done
}

case_usage() { # K24, K9: what is no number is refused in one line, and nothing is opened
	local value opt
	for opt in -d -i; do
		for value in x -1 0 '' 1e3 08 0.0 1.2345 ' 1'; do
			run funccount "$opt" "$value" read_zero
			rc_is 2
			num_eq "$opt '$value': lines on stderr" "$(wc -l <err)" 1
			err_has "^funccount: $opt takes seconds"
		done
	done
	for value in '' -z '-e best read_zero' '-p x read_zero' '-p 0 read_zero' '-d' "-p $$ -L $$ read_zero" '!read_zero'; do
		# shellcheck disable=SC2086 # words
		run funccount $value
		rc_is 2
		err_has '^funccount: '
		num_eq "'$value': lines on stderr" "$(wc -l <err)" 1
	done
	strace -f -qq -e trace=open,openat,mkdir,mkdirat -o opened "$CASE_SHELL" "$FTDIR/bin/funccount" -d 0 read_zero 2>err
	nomatch 'nothing of the tracer was opened' "$(cat opened)" 'tracing'
	run funccount -h
	rc_is 0
	out_has '^usage: funccount '
	is 'stderr of -h' "$(cat err)" ''
}

case_process() { # -p and -L count one process only, by the trace engine
	local opt
	for opt in -p -L; do
		worker target job
		count -v "$opt" "$worker" write_null
		err_has '^engine: trace '
		w_reads 40
		writes 17 >job
		wait "$worker"
		finish
		num_eq "$opt: of its own" "$(total write_null)" 17
	done
	run funccount -d 1 -p "$worker" write_null
	rc_is 6
	err_has "^funccount: no process $worker"
	run funccount -e kprobe -p $$ read_zero
	rc_is 2
}

case_patterns() { # every form of pattern gives the functions that it means
	# limit: 240
	# once
	need_module loop
	# Once: the kernel takes seconds to list its functions here.
	module_functions loop . >all
	cat >names <<-END
		# a comment
		lo_ioctl [loop]

		lo_release
	END
	filter_is '' 'lo_ioctl' lo_ioctl
	filter_is '' 'lo_ioctl lo_release' 'lo_ioctl lo_release'
	filter_is '' 'lo_ioctl lo_release' lo_release lo_ioctl
	filter_is '' 'lo_ioctl' 'lo_ioctl [loop]'
	filter_is '' 'lo_ioctl' loop:lo_ioctl
	filter_is '' "$(grep '^lo_' all)" 'lo_*:mod:loop'
	filter_is '' "$(grep '^lo_' all)" 'loop:lo_*'
	filter_is '' "$(cat all)" :mod:loop
	filter_is '' 'lo_release' 'lo_*ase:mod:loop'
	filter_is '' 'lo_ioctl' 'lo_ioct?'
	filter_is '' "$(grep '^lo_[ir]' all)" 'lo_[ir]*:mod:loop'
	filter_is '' "$(grep '^lo_' all | grep -v '^lo_ioctl$')" 'lo_*:mod:loop' '!lo_ioctl'
	filter_is '' 'lo_ioctl lo_release' @names
	filter_is '' 'lo_ioctl lo_release' '/^lo_(ioctl|release)$/'
	filter_is '' "$(grep ioctl all)" '/ioctl/:mod:loop'
	filter_is '' 'lo_release' '/^lo_(ioctl|release)$/ !/ioctl/'
	filter_is '' "$(grep '^lo_' all)" 'lo_*:mod:lo?p' lo_ioctl
}

case_ways() { # the four ways to a filter give the same functions
	# requires: instance:set_ftrace_filter
	# Index numbers came with 5.1, and error_log with 5.2.
	# requires: error_log
	# limit: 180
	# once
	local way want
	need_module dummy
	want=$(module_functions dummy .)
	for way in native index names kallsyms; do
		filter_is "$way" "$want" :mod:dummy
	done
}

case_ways_opens() { # K62: the kernel's list is read at most once
	# once
	# limit: 240
	need_module dummy
	opens kallsyms 'funccount -d 0.1 -e trace :mod:dummy'
	opens native 'funccount -d 0.1 read_zro'
	num_eq 'the miss read it' "$opened" 1
}

case_files() { # a glob is never expanded against files
	: >read_zero1
	: >read_zer
	count 'read_zer*'
	reads 7
	finish
	num_eq 'read_zero' "$(total read_zero)" 7
}

case_unknown() { # what does not exist: status 7 with close names or the reason, in one line
	# limit: 180
	# once
	run funccount vfs_raed
	rc_is 7
	is 'stderr' "$(cut -d . -f 1,2 err)" "funccount: no function matches 'vfs_raed'. Close: vfs_read, vfs_readv, vfs_readlink"
	run funccount read_zero no_such_function_ever
	rc_is 7
	err_has "^funccount: no function matches 'no_such_function_ever'\.$"
	run funccount 'nosuchglob_*'
	rc_is 7
	run funccount :mod:nosuch
	rc_is 7
	err_has "^funccount: no module 'nosuch' is loaded"
	run funccount nosuch:read_zero
	rc_is 7
	run funccount start_kernel
	rc_is 7
	err_has "'start_kernel' is in this kernel"
	run funccount @nofile
	rc_is 1
	err_has 'cannot read nofile'
	run funccount '/[/'
	rc_is 2
	err_has 'not a regular expression'
}

case_kallsyms_brackets() { # K69: a bracket of /proc/kallsyms that is no module is none
	local name
	for name in bpf __builtin__ftrace __builtin__kprobes; do
		run funccount -d 1 ":mod:$name"
		rc_is 7
		err_has "no module '$name' is loaded"
	done
}

case_variants() { # K41: foo stands for its one compiler variant, and is refused when there are several
	# limit: 180
	# once
	local one many
	mawk '{ b = $1; sub(/\..*/, "", b); if (b == $1) whole[b] = 1; else if (index(v[b] " ", " " $1 " ") == 0) { v[b] = v[b] " " $1; n[b]++ } }
		END { for (b in n) if (!(b in whole) && n[b] <= 2) print n[b], b v[b] }' "$TRACEFS/available_filter_functions" >variants
	one=$(sort -k 2 variants | awk '$1 == 1 { print $2, $3; exit }')
	many=$(sort -k 2 variants | awk '$1 == 2 { print $2, $3, $4; exit }')
	[ "$one" ] || skip 'no such function here'
	# shellcheck disable=SC2086 # function, variant
	set -- $one
	count -e trace "$1"
	err_has "'$1' exists here as $2 only"
	is 'its filter' "$(functions_of funccount | sort -u)" "$2"
	finish
	filter_is '' "$2" "$2"
	count -d 0.1 -e kprobe "$2"
	ended
	rc_is 0
	[ "$many" ] || return 0
	# shellcheck disable=SC2086 # function, variants
	set -- $many
	run funccount "$1"
	rc_is 7
	err_has "there are: ($2 $3|$3 $2)"
	count -e trace "$1*"
	ok 'both with a star' test "$(functions_of funccount | grep -c -x -F -e "$2" -e "$3")" -ge 2
	finish
}

case_refused() { # K44: one function that cannot have a kprobe is named, the others are counted
	# requires: kprobe_events, sh:test -e /sys/kernel/debug/kprobes/blacklist
	local bad
	bad=$(mawk 'NR == FNR { b[$2] = 1; next } $1 in b && $1 ~ /nmi/ { print $1; exit }' \
		/sys/kernel/debug/kprobes/blacklist "$TRACEFS/available_filter_functions")
	[ "$bad" ] || skip 'no such function here'
	count -e kprobe read_zero "$bad"
	err_has "no kprobe possible on: $bad "
	reads 23
	finish
	rc_is 0
	num_eq 'the other' "$(total read_zero)" 23
	run funccount -d 1 -e kprobe "$bad"
	rc_is 8
}

case_same_name() { # a name that several functions have is not counted by one kprobe on the first of them
	local twice
	twice=$(mawk '{ print $1 }' "$TRACEFS/available_filter_functions" | sort | uniq -d | grep -m 1 '^[a-z]')
	count -v "$twice"
	finish
	err_has '^engine: (trace|profile) '
	count -e kprobe read_zero "$twice"
	err_has "more than one function .*: $twice "
	reads 7
	finish
	num_eq 'the other' "$(total read_zero)" 7
}

case_too_many() { # K45: too many for a kprobe each is refused with the number, unless forced
	# once
	# requires: kprobe_events
	# limit: 180
	run funccount -e kprobe -d 1 'pci_*'
	rc_is 2
	err_has '^funccount: [0-9]+ functions are too many .* -F'
	mawk '{ print $1 }' "$TRACEFS/available_filter_functions" | grep '^pci_' | sort | uniq -u | head -n 203 >names
	echo read_zero >>names
	count -F -v -e kprobe @names
	err_has '^engine: kprobe \(204 functions,'
	reads 23
	finish
	num_eq 'read_zero' "$(total read_zero)" 23
}

case_long_name() { # a function of more than 32 characters keeps its name whole
	local engine
	for engine in kprobe trace; do
		count -e "$engine" lowmem_reserve_ratio_sysctl_handler
		for n in 1 2 3; do
			/bb/dd if=/proc/sys/vm/lowmem_reserve_ratio of=ratio bs=4096 count=1 status=none
		done
		finish
		is "$engine" "$(tail -n 1 out)" 'lowmem_reserve_ratio_sysctl_handler        3'
	done
}

case_two_at_once() { # K12: two runs count the same function at the same time, each with probes of its own
	# requires: instance:set_ftrace_filter
	# requires: kprobe_events
	local first
	count -e kprobe read_zero
	first=$bg_pid
	mv out out1
	: >err
	ft_bg funccount -e kprobe read_zero >out2 2>err
	started funccount
	num_eq 'probes' "$(grep -c . "$TRACEFS/kprobe_events")" 2
	num_eq 'of different names' "$(sort -u "$TRACEFS/kprobe_events" | wc -l)" 2
	reads 23
	finish
	rc_is 0
	bg_pid=$first
	finish
	rc_is 0
	for out in out1 out2; do
		is "$out" "$(awk '$1 == "read_zero" { print $2 }' "$out")" 23
	done
}

case_foreign_probe() { # K20: somebody's kprobe on the same function, and of a name like ours, stays and is not counted
	# requires: instance:set_ftrace_filter
	# requires: kprobe_events
	at_end "echo -:theirs/ft1_1 >>$TRACEFS/kprobe_events"
	at_end "echo 0 >$TRACEFS/events/theirs/ft1_1/enable"
	echo 'p:theirs/ft1_1 read_zero' >>"$TRACEFS/kprobe_events"
	echo 1 >"$TRACEFS/events/theirs/ft1_1/enable"
	reads 5
	count -e kprobe read_zero
	reads 23
	finish
	num_eq 'count' "$(total read_zero)" 23
	run funccount -e kprobe no_such_
	rc_is 7
	is 'probes' "$(cut -d ' ' -f 1 "$TRACEFS/kprobe_events")" 'p:theirs/ft1_1'
	is 'still on' "$(cat "$TRACEFS/events/theirs/ft1_1/enable")" 1
}

case_own_reader() { # K68: functions that the tool's own reader calls: the run ends with its duration
	run funccount -d 1 -e trace 'vfs_*'
	rc_is 0
	num_eq 'tables' "$(tables)" 1
}

case_signals() { # K15: each signal ends it with the final table and the signal's status, INT with 0
	# limit: 180
	# each shell
	local one signal status engine
	for one in 'INT 0 kprobe' 'TERM 143 kprobe' 'HUP 129 trace' 'QUIT 131 trace'; do
		# shellcheck disable=SC2086 # signal, status, engine
		set -- $one
		count -e "$3" read_zero
		reads 7
		finish_by "$1"
		rc_is "$2"
		num_eq "$one: in the final table" "$(total read_zero)" 7
	done
}

case_closed_pipe() { # K17: a reader that goes away ends it without a word
	# each shell
	local engine
	for engine in kprobe trace; do
		ft funccount -e "$engine" -i 0.5 read_zero 2>err | head -n 2 >out
		num_eq "$engine: lines" "$(wc -l <out)" 2
		quiet
	done
}

case_full() { # an output that cannot be written: status 9
	# each shell
	local engine
	for engine in kprobe trace; do
		rc=0
		ft funccount -e "$engine" -d 0.5 read_zero >/dev/full 2>err || rc=$?
		rc_is 9
		err_has '^funccount: cannot write to stdout'
	done
}

case_module_gone() { # the module is unloaded while its calls are counted: its names, as they were known at the start
	# requires: module:dummy
	need_module dummy
	count -i 1 -e trace :mod:dummy
	# The names are read along with the first calls, not before the banner.
	ok 'a first table' wait_for 60 grep -q '^FUNC' out
	ok 'the module goes' rmmod dummy
	finish
	rc_is 0
	out_has '^dummy_.* \[dummy\] +[1-9]'
	is 'bare addresses' "$(grep '^0x' out)" ''
}
