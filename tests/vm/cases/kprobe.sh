# shellcheck shell=sh
# kprobe.sh - kprobe: the grammar of definitions, names, refusals, arguments, missed hits, foreign probes
# SPDX-License-Identifier: GPL-2.0-only
# requires: kprobe_events
# shellcheck disable=SC2016 # $retval and its like are for the kernel

. /tests/vm/guest/streaming.sh

# trace_d ARG... - kprobe into the buffer, in the background
trace_d() {
	: >err
	ft_bg kprobe -d 600 "$@" >out 2>err
	started kprobe
	probes=$(cat "$TRACEFS/kprobe_events")
}

# foreign_probe - somebody else's probe, on the same function and with a usual name
foreign_probe() {
	at_end "echo -:theirs/read_zero >>$TRACEFS/kprobe_events"
	echo 'p:theirs/read_zero read_zero' >>"$TRACEFS/kprobe_events"
}

# group_of PID - the group that a run's probes have
group_of() {
	awk -v pid="$1" '{ sub(/^.*\) /, ""); print "ft_" pid "_" $20 }' "/proc/$1/stat"
}

case_grammar() { # every form of a definition becomes the line that it should be
	# requires: sh:grep -q ' read_zer[o]$' /proc/kallsyms
	# requires: sh:grep -qF '$comm' $TRACEFS/README
	# limit: 180
	need_module loop
	address=$(awk '$3 == "read_zero" { print $1; exit }' /proc/kallsyms)
	trace_d 'p:read_zero si=%si' 'p:mine write_null' 'p:own_group/two read_zero' 'p write_null' \
		'r:write_null $retval' 'r:ret read_zero ret=$retval:u32' 'p:loop:lo_ioctl' 'p:lo loop:lo_ioctl' \
		'p:read_zero+0' "p:0x$address" 'p:x3 read_zero+0x0 n=%dx b=+0(%si):x8 $comm' 'p:blanks   read_zero   a=%di '
	g=$(group_of "$bg_pid")
	# The kernel hides the address of a probe when it lists it; the hits below show that it is the right one.
	is 'kprobe_events' "$(printf '%s\n' "$probes" | sed -e 's/^r[0-9]*:/r:/' -e 's/ 0x[0-9a-f]*$/ ADDRESS/')" "p:$g/read_zero read_zero si=%si
p:$g/mine write_null
p:own_group/two read_zero
p:$g/write_null write_null
r:$g/write_null_2 write_null arg1=\$retval
r:$g/ret read_zero ret=\$retval:u32
p:$g/lo_ioctl loop:lo_ioctl
p:$g/lo loop:lo_ioctl
p:$g/read_zero_2 read_zero
p:$g/p_0x$address ADDRESS
p:$g/x3 read_zero n=%dx b=+0(%si):x8 arg3=\$comm
p:$g/blanks read_zero a=%di"
	reads 3
	finish
	for name in read_zero two ret x3 blanks "p_0x$address"; do
		num_eq "hits of $name" "$(grep -c " $name: (" out)" 3
	done
	num_eq 'a number' "$(grep -c ' x3: (.*) n=0x309 b=0x[0-9a-f]* arg3="dd"$' out)" 3
	num_eq 'a return value' "$(grep -c ' ret: (.* <- read_zero) ret=777$' out)" 3
}

case_maxactive() { # rN: keeps its name and its number
	# The number is listed by kernels that have an error_log too.
	# requires: error_log
	# limit: 180
	trace_d 'r10:read_zero' 'r7:named write_null $retval' 'r3 read_zero'
	g=$(group_of "$bg_pid")
	is 'kprobe_events' "$probes" "r10:$g/read_zero read_zero
r7:$g/named write_null arg1=\$retval
r3:$g/read_zero_2 read_zero"
	reads 3
	finish
	num_eq 'hits' "$(grep -c ' read_zero: (' out)" 3
}

case_offset() { # SYMBOL+OFFSET, at an offset where an instruction begins
	# limit: 180
	offset=
	for n in 4 5 9; do
		echo "p:try/it write_null+$n" >"$TRACEFS/kprobe_events" || continue
		offset=$n
		break
	done 2>/dev/null
	echo >"$TRACEFS/kprobe_events"
	[ "$offset" ] || skip 'found no instruction in write_null'
	trace_d "p:write_null+$offset"
	is 'kprobe_events' "$probes" "p:$(group_of "$bg_pid")/write_null write_null+$offset"
	finish
}

case_names() { # names that the kernel would refuse are made fit, and stay different
	# limit: 180
	long=abcdefghij_abcdefghij_abcdefghij_abcdefghij_abcdefghij_abcdefghij_abcdefghij_
	trace_d "p:${long}one read_zero" "p:${long}two write_null" 'p:9lives read_zero' 'p:a.b-c read_zero'
	names=$(printf '%s\n' "$probes" | sed 's/^.*\/\([^ ]*\) .*/\1/')
	num_eq 'probes' "$(printf '%s\n' "$names" | sort -u | wc -l)" 4
	nomatch 'length' "$names" '.{64}'
	matches 'digit' "$names" '^_9lives$'
	matches 'dots' "$names" '^a_b_c$'
	reads 3
	finish
	num_eq 'hits' "$(grep -c ' _9lives: (' out)" 3
}

case_dotted() { # a symbol with a dot gets a name without
	# limit: 180
	symbol=$(awk '$1 ~ /[.](isra|constprop|part)[.][0-9]+$/ && $2 == "" { print $1; exit }' "$TRACEFS/available_filter_functions")
	[ "$symbol" ] || skip 'this kernel has no such function'
	trace_d "p:$symbol"
	is 'kprobe_events' "$probes" "p:$(group_of "$bg_pid")/$(printf '%s\n' "$symbol" | tr . _) $symbol"
	finish
}

case_glob() { # a glob becomes a probe a function; too many are refused with their number
	# requires: sh:! grep -q ' read_zer[o][.]' /proc/kallsyms
	# limit: 180
	trace_d 'p:read_zer*' 'r:write_nul? $retval'
	g=$(group_of "$bg_pid")
	is 'kprobe_events' "$(printf '%s\n' "$probes" | sed 's/^r[0-9]*:/r:/')" "p:$g/read_zero read_zero
r:$g/write_null write_null arg1=\$retval"
	reads 23
	finish
	num_eq 'hits' "$(grep -c ' read_zero: (' out)" 23
	run kprobe 'p:*'
	rc_is 2
	err_has "'\*' matches [0-9]{5} functions.* -F "
}

case_glob_refused() { # of several functions those that cannot be probed are named, and the others traced
	# limit: 180
	blacklist=/sys/kernel/debug/kprobes/blacklist
	[ -r "$blacklist" ] || skip 'no list of what cannot be probed'
	# The end of a name that some functions have, and one of them cannot be probed.
	suffix=$(awk 'function end_of(name) { sub(/^.*_/, "_", name); return name }
		NR == FNR { if ($NF ~ /_[a-z]+$/) bad[$NF] = 1; next }
		$2 == "" { n[end_of($1)]++; if ($1 in bad) hit[end_of($1)] = 1 }
		END { for (end in hit) if (n[end] > 2 && n[end] < 20) { print end; exit } }' \
		"$blacklist" "$TRACEFS/available_filter_functions")
	[ "$suffix" ] || skip 'every traceable function can be probed here'
	run kprobe -d 0.5 "p:*$suffix"
	rc_is 0
	err_has "^kprobe: no kprobe possible on:.*$suffix.* \\(tracing the others\\)"
}

case_unknown() { # no such function: status 7, and the close names
	# limit: 180
	run kprobe p:vfs_raed
	rc_is 7
	err_has "^kprobe: no function matches 'vfs_raed'\. Close: vfs_read"
	run kprobe 'p:x vfs_raed a=%di'
	rc_is 7
	err_has "'vfs_raed'"
	# Newer kernels take a probe for a module to come; it must not look like one that is set.
	run kprobe -d 0.5 'p:nosuch:nosuch_function'
	if [ "$rc" = 0 ]; then
		err_has "module 'nosuch' is not loaded"
	else
		rc_is 7
	fi
}

case_refused() { # a definition that the kernel refuses: status 8, its words, and the caret under the place
	# requires: error_log
	# limit: 180
	run kprobe 'p:x read_zero n=%dx b=%nosuch'
	rc_is 8
	err_has '^kprobe: the kernel refuses the probe: '
	caret_under '%nosuch'
	run kprobe 'p:x read_zero n=%dx:u7'
	rc_is 8
	caret_under 'u7'
	is 'output' "$(cat out)" ''
}

# caret_under WORD - is the caret of the message under the first letter of WORD, in the line before it?
caret_under() {
	asserted
	awk -v word="$1" '/^ *\^$/ { if (index(last, word) == index($0, "^")) found = 1 } { last = $0 } END { exit !found }' err ||
		fail "the caret is not under $1"
}

case_copies() { # a symbol that exists several times: status 7, with where
	# limit: 180
	symbol=$(awk '$2 ~ /[tT]/ && $4 == "" && $3 ~ /^[a-z][a-z_]*$/ && n[$3]++ == 2 { print $3; exit }' /proc/kallsyms)
	[ "$symbol" ] || skip 'no symbol exists three times'
	if echo "p:try/it $symbol" >"$TRACEFS/kprobe_events" 2>/dev/null; then
		echo >"$TRACEFS/kprobe_events"
		skip 'this kernel takes the first'
	fi
	run kprobe "p:$symbol"
	rc_is 7
	err_has "'$symbol' exists more than once: 0x[0-9a-f]+, 0x[0-9a-f]+, 0x[0-9a-f]+"
}

case_usage() { # what is no definition: status 2
	# limit: 180
	for definition in read_zero 'x:read_zero' p: 'p: ' 'rx:read_zero' 'p:read_zero
p:write_null'; do
		run kprobe "$definition"
		is "$definition: status" "$rc" 2
	done
	run kprobe -d 1 -v p:read_zero
	rc_is 2
	run kprobe p:read_zero 'n == 1' p:write_null
	rc_is 2
}

case_not_run() { # what looks like commands is never run
	# limit: 180
	for text in 'p:x read_zero $(touch owned)' 'p:x read_zero `touch owned`' 'p:$(touch owned) read_zero' 'p:x read_zero a=%di;touch owned' 'p:%n%s read_zero %s%n'; do
		run kprobe -d 0.1 "$text"
		isnt "$text: status" "$rc" 1
	done
	ok 'no command was run' test ! -e owned
}

case_filter() { # a filter on an argument; one with an unknown field is refused before anything is on
	# requires: sh:grep -q ' read_zer[o]$' /proc/kallsyms
	# limit: 180
	trace_d 'p:read_zero n=%dx' 'n == 777'
	w_reads 7
	reads 23
	finish
	num_eq 'hits' "$(grep -c ' read_zero: (.*) n=0x309$' out)" 23
	num_eq 'and no other' "$(wc -l <out)" 23
	run kprobe 'p:read_zero n=%dx' 'm == 777'
	rc_is 8
	is 'caret' "$(sed -n '2,3p' err)" '    m == 777
    ^'
	err_has '^  fields: .*\bn\b'
}

case_string() { # perf-tools' example: a file name out of a register, with a filter
	# requires: sh:grep -q ' do_sys_openat2$' /proc/kallsyms
	# limit: 180
	trace_d 'p:do_sys_openat2 file=+0(%si):string' 'file ~ "*hostnam?"'
	cat /proc/sys/kernel/hostname >/dev/null
	cat /proc/sys/kernel/ostype >/dev/null
	finish
	num_eq 'hits' "$(grep -c ' do_sys_openat2: (.*) file="/proc/sys/kernel/hostname"$' out)" 1
	num_eq 'and no other' "$(wc -l <out)" 1
	err_has 'ustring'
	trace_d 'p:do_sys_openat2 file=+0(%si):ustring' 'file ~ "*hostnam?"'
	cat /proc/sys/kernel/hostname >/dev/null
	finish
	num_eq 'hits' "$(grep -c ' do_sys_openat2: (.*) file="/proc/sys/kernel/hostname"$' out)" 1
	nomatch 'no hint' "$(cat err)" ustring
}

case_btf() { # arguments by their names in the source, where the kernel has BTF
	# limit: 180
	# requires: sh:grep -q '<argname>' $TRACEFS/README, sh:test -e /sys/kernel/btf/vmlinux
	trace_d 'p:read_zero count' 'p:both read_zero n=count:u32 buf' 'p:all read_zero $arg*'
	g=$(group_of "$bg_pid")
	matches 'a name alone' "$probes" "^p:$g/read_zero read_zero count=count"
	reads 3
	finish
	num_eq 'a name alone' "$(grep -c ' read_zero: (.*) count=777$' out)" 3
	num_eq 'with its own name and type' "$(grep -c ' both: (.*) n=777 buf=0x' out)" 3
	num_eq 'all of them' "$(grep -c ' all: (.*) file=0x.* count=777 ' out)" 3
}

case_view() { # -v shows the format with the arguments, and nothing is left
	# limit: 180
	run kprobe -v 'p:mine read_zero n=%dx:u32' 'p:other write_null'
	rc_is 0
	out_has '^name: mine$'
	out_has 'field:u32 n;'
	out_has '^name: other$'
	is 'kprobe_events' "$(cat "$TRACEFS/kprobe_events")" ''
}

case_stacks() { # -s: a stack after each hit
	# limit: 180
	trace_d -s p:read_zero
	reads 3
	finish
	num_eq 'hits' "$(grep -c ' read_zero: (' out)" 3
	num_eq 'stacks' "$(grep -c '<stack trace>' out)" 3
	num_eq 'one frame' "$(grep -Ec '^ => (new_sync_read|vfs_read)' out)" 3
}

case_pid() { # -p: this process and no other; -f its children too
	# requires: options/event-fork
	# limit: 180
	for follow in '' -f; do
		wanted=0
		[ ! "$follow" ] || wanted=2
		worker one go1
		one=$worker
		worker two go2
		# shellcheck disable=SC2086
		trace_d $follow -p "$one" p:write_null
		echo "$(writes 5); (echo >/dev/null; (echo >/dev/null))" >go1
		writes 7 >go2
		wait "$one" "$worker"
		finish
		num_eq 'first' "$(grep -c "one-$one " out)" 5
		num_eq 'and children' "$(grep -vc "one-$one " out)" "$wanted"
	done
}

case_foreign() { # somebody else's probe of the same name stays, enabled or not, also when ours is refused
	# limit: 180
	foreign_probe
	at_end "echo 0 >$TRACEFS/events/theirs/read_zero/enable"
	echo 1 >"$TRACEFS/events/theirs/read_zero/enable"
	trace_d p:read_zero
	reads 3
	finish
	num_eq 'hits' "$(wc -l <out)" 3
	run kprobe p:vfs_raed
	run kprobe 'p:read_zero a=%nosuch'
	is 'kprobe_events' "$(cat "$TRACEFS/kprobe_events")" 'p:theirs/read_zero read_zero'
	is 'enabled' "$(cat "$TRACEFS/events/theirs/read_zero/enable")" 1
}

case_group_kept() { # a group/name that somebody has is refused, and is still theirs
	# limit: 180
	foreign_probe
	run kprobe -d 0.5 'p:theirs/read_zero write_null'
	rc_is 5
	err_has 'theirs/read_zero exists'
	is 'kprobe_events' "$(cat "$TRACEFS/kprobe_events")" 'p:theirs/read_zero read_zero'
}

case_missed() { # hits that a return probe missed are told, with what to do
	# requires: sh:grep -qF 'r[maxactive]' $TRACEFS/README
	# limit: 180
	# Many at once in one function, and room for one.
	trace_d 'r1:hrtimer_nanosleep'
	n=0
	while [ "$n" -lt 60 ]; do
		/bb/sleep 3 &
		n=$((n + 1))
	done
	wait_for 100 sleeps_over
	finish
	is 'status' "$rc" 0
	err_has 'probe hrtimer_nanosleep missed [0-9]+ hits \(.* rN:\)'
}

# sleeps_over - none of the sleeping processes is left
sleeps_over() {
	! grep -q '^/bb/sleep' /proc/[0-9]*/cmdline 2>/dev/null
}

case_unlisted() { # without a list of traceable functions (CONFIG_DYNAMIC_FTRACE) names come from kallsyms, for funccount too
	# requires: sh:[ ! -e "$TRACEFS/available_filter_functions" ]
	: >err
	ft_bg funccount -v 'vfs_re*' >out 2>err
	ok 'it counts' wait_for 60 grep -q '^Tracing' err
	w_reads 23
	kill -INT "$bg_pid"
	wait "$bg_pid"
	err_has '^engine: kprobe .*names from /proc/kallsyms'
	num_between 'calls of vfs_read' "$(awk '$1 == "vfs_read" { print $2 }' out)" 23 99999
	run kprobe -d 0.2 'p:vfs_re*'
	rc_is 0
}
