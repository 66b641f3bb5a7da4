# shellcheck shell=sh
# crashtrace.sh - crashtrace, as far as it needs no reset: images, checks, arming and disarming
# SPDX-License-Identifier: GPL-2.0-only
#
# The cases that arm need a region on the boot line, and are skipped without:
#   run.sh -c crashtrace -a 'memmap=1M$0x18000000 trace_instance=crash^traceoff@0x18000000:1M'

# saved BOOT TEXT_ADDRESS - a saved boot in the state folder, of the kernel that wrote the image w73.crash
saved() {
	local dir="$T/state/boots/000001.$1"
	mkdir -p "$dir"
	printf 'boot %s\nrelease 7.3.4\ntext %s\nregion crash\naddress 0x18000000\nsize 262144\n' "$1" "$2" >"$dir/info"
	cat /tests/fixtures/w73.kallsyms >"$dir/kallsyms"
	: >"$dir/modsyms"
	: >"$dir/modules"
	echo '134 copy over' >"$dir/cmdlines"
}

# image NAME - the fixture NAME unpacked into $T
image() {
	gzip -dc "/tests/fixtures/$1.gz" >"$T/$1"
}

case_usage() { # what is wrong with the words alone: 2, and nothing touched
	run crashtrace -h
	rc_is 0
	num_between 'lines of -h' "$(wc -l <out)" 10 24
	run crashtrace
	rc_is 2
	for words in nonsense arm 'arm -b tape x' 'arm -m ram x' 'arm -Z x' 'dump -n 0' 'dump -F xml' 'dump a b' \
		'dump -a -F json' 'status now' save 'restore a b' plan 'arm !x'; do
		# shellcheck disable=SC2086
		run crashtrace $words
		is "'crashtrace $words'" "$rc" 2
		is "'crashtrace $words': output" "$(cat out)" ''
	done
}

case_volatile() { # a state folder that a reset empties is refused, unless named or forced
	run crashtrace arm read_zero
	rc_is 2
	err_has '^crashtrace: /var/lib/fieldtrace is on (rootfs|tmpfs),.*-S DIR'
	ok 'no folder was made' test ! -e /var/lib/fieldtrace
	FIELDTRACE_CRASH_STATE=$T/named run crashtrace arm no_such_function_
	isnt 'a named one' "$rc" 2
}

case_plan() { # calls are counted, history is reckoned, nothing is left
	# requires: available_filter_functions
	# once
	(while :; do dd if=/dev/zero of=/dev/null bs=1 count=2000 2>/dev/null; done) &
	at_end "kill $!"
	run crashtrace plan -S "$T/state" -d 2 write_null
	rc_is 0
	out_has '^calls +[0-9,]*[1-9][0-9,]* a second on all CPUs, [0-9,]+ on the busiest; 1 function$'
	out_has '^history +.* holds [0-9,]+ calls a CPU: the last .* of the busiest CPU$'
	out_has '^cost +'
}

case_image() { # an image of another boot: its records, with the names saved then
	image w73.crash
	saved 7c1e2f40-0000-4000-8000-000000000000 ffffffffa6c00000
	run crashtrace dump -S "$T/state" "$T/w73.crash"
	rc_is 0
	out_has '^region +\(a file\), 256 KiB, ring, previous boot 7c1e2f40 \(7\.3\.4\), stopped at 7\.087309 s$'
	out_has '^records +3,483 on 2 CPUs, 395 ms; 0 lost; snapshot '
	out_has '^names +from the symbols saved when armed'
	out_has '^CPU 0, last 8 of 1,844 \(newest last\)$'
	out_has '^CPU 1, last 8 of 1,639 \(newest last\)$'
	matches 'newest of CPU 0' "$(grep -B 1 '^$' out | grep 7.087309)" ' +<\.\.\.>-1 +7\.087309 +vfs_write +<- ksys_write$'
	out_has ' copy_over-134 +7\.083074 +kmem_cache_free '
	out_has '^functions +kmem_cache_alloc_noprof 3  +kmem_cache_free 57  +kmem_cache_alloc_noprof 344$'
	run crashtrace dump -S "$T/state" -n 3 "$T/w73.crash"
	is 'records shown with -n 3' "$(grep -c ' <- ' out)" 6
	run crashtrace dump -S "$T/state" -a "$T/w73.crash"
	is 'lines with -a' "$(grep -c '\[00[01]\]' out)" 3483
	run crashtrace dump -S "$T/state" --format text "$T/w73.crash"
	is 'lines as text' "$(wc -l <out)" 3483
	run crashtrace dump -S "$T/state" -F json -o "$T/o.json" "$T/w73.crash"
	rc_is 0
	is 'output with -o' "$(cat out)" ''
	ok 'the file' test -s "$T/o.json"
	is 'what is left in the state folder' "$(ls -A "$T/state")" boots
}

case_other_boot() { # saved symbols of another boot are not taken for those of the image
	image w73.crash
	saved 7c1e2f40-0000-4000-8000-000000000000 ffffffffa6d00000
	run crashtrace dump -S "$T/state" "$T/w73.crash"
	rc_is 0
	out_has '^names +none: nothing tells which kernel wrote it'
	nomatch 'the head' "$(head -n 1 out)" 7c1e2f40
	nomatch 'names' "$(cat out)" 'vfs_write'
	run crashtrace dump -S "$T/state" --symbols-anyway "$T/w73.crash"
	rc_is 0
	out_has '<- .*\(name unsure\)$'
}

case_bad_image() { # nothing, zeros, half an image: an error each, and no report
	image w73.crash
	mkdir -p "$T/state/boots"
	run crashtrace dump -S "$T/state" "$T/none.img"
	rc_is 1
	dd if=/dev/zero of="$T/zeros" bs=4096 count=16 2>/dev/null
	run crashtrace dump -S "$T/state" "$T/zeros"
	rc_is 10
	is 'output' "$(cat out)" ''
	dd if="$T/w73.crash" of="$T/half" bs=1000 count=9 2>/dev/null
	run crashtrace dump -S "$T/state" "$T/half"
	isnt 'status for a piece' "$rc" 0
	FIELDTRACE_HELPER=/none PATH=/none run crashtrace dump -S "$T/state" "$T/zeros"
	isnt 'status' "$rc" 0
}

case_text() { # without the helper: the kernel's text, a module's name found in the symbols saved then
	# 6.12 moved the module's address by what the kernel had moved: 0xffffffffc0810123 - 0x1000000 was where it was.
	mkdir -p "$T/state/boots"
	saved 7c1e2f40-0000-4000-8000-000000000000 ffffffffa6c00000
	printf '%s\n' 'ffffffffbf810100 t lo_first	[loop]' 'ffffffffbf810080 t lo_zero	[loop]' \
		'ffffffffbf810200 t lo_second	[loop]' >"$T/state/boots/000001.7c1e2f40-0000-4000-8000-000000000000/modsyms"
	printf '%s\n' '# last_boot_info text delta:	16777216' '# last_boot_info data delta:	16777216' '# tracer: nop' \
		'           <...>-134     [001] d..2.     7.083325: 0xffffffffc0810123 <-blk_done' \
		'           a b c-17      [000] .....     7.083900: lo_second <-0xffffffffc0810093' >"$T/state/d.txt"
	echo 'saved 000001.7c1e2f40-0000-4000-8000-000000000000' >"$T/state/d.note"
	run crashtrace dump -S "$T/state" "$T/state/d.txt"
	rc_is 0
	out_has '^region +crash at 0x18000000, 256 KiB, ring, previous boot 7c1e2f40'
	out_has '^records +2 on 2 CPUs'
	out_has ' copy_over-134 +7\.083325 +lo_first \[loop\] +<- blk_done$'
	out_has ' a_b_c-17 +7\.083900 +lo_second \[loop\] +<- lo_zero \[loop\]$'
	out_has '^modules +loop 2'
}

case_merge() { # a module that went stays in the table; one that came back elsewhere is there under both
	printf '%s\n' 'aaaa t f	[loop]' 'bbbb d v	[loop]' 'cccc T g	[new]' -- '1111 t f	[loop]' '2222 t h	[gone]' \
		'3333 t f	[loop(old)]' '4444 t k	[gone(old)]' |
		awk -f "$FTDIR/lib/common.awk" -f "$FTDIR/lib/crash_merge.awk" -v what=symbols >merged
	is 'symbols' "$(tr '\t' ' ' <merged)" 'aaaa t f [loop]
cccc T g [new]
1111 t f [loop(old)]
2222 t h [gone]
4444 t k [gone(old)]'
	printf '%s\n' 'loop 45056 1 - Live 0xaaaa' -- 'loop 45056 0 - Live 0xaaaa' 'gone 8 0 - Live 0x2222' |
		awk -f "$FTDIR/lib/common.awk" -f "$FTDIR/lib/crash_merge.awk" -v what=modules >merged
	is 'modules' "$(cat merged)" 'loop 45056 1 - Live 0xaaaa
gone 8 0 - Live 0x2222'
}

case_arm() { # arm, known work, dump, disarm: every call, and the instance as it was
	# requires: instances/crash/last_boot_info
	# limit: 180
	run crashtrace arm -S "$T/state" read_zero
	rc_is 0
	err_has '^Recording 1 function with the ring backend'
	at_end "ft crashtrace disarm -S $T/state"
	w_reads 23
	run crashtrace status -S "$T/state"
	out_has '^recording +yes: tracer function, 1 function$'
	out_has '^trace +of this boot$'
	out_has '^names +kept current \(PID [0-9]+\)$'
	run crashtrace arm -S "$T/state" read_zero
	rc_is 5
	err_has 'already recording'
	run crashtrace disarm -S "$T/state"
	rc_is 0
	err_has "^Stopped\. What was recorded: crashtrace dump $T/state/[^ ]*\.img$"
	# Stopping wipes the kernel's buffer: what was in it is in a snapshot by then.
	set -- "$T"/state/*.img
	run crashtrace dump -S "$T/state" -F text "$1"
	rc_is 0
	is 'calls of dd' "$(grep -c ' dd-[0-9]* .* function read_zero ' out)" 23
	is 'calls' "$(grep -c . out)" 23
	run crashtrace dump -S "$T/state" "$1"
	out_has '^records +23 on '
	run crashtrace dump -S "$T/state"
	rc_is 10
	err_has "a snapshot: crashtrace dump $1"
	run crashtrace status -S "$T/state"
	out_has '^recording +no'
	set -- "$T"/state/*.img
	is 'snapshots' "$#" 1
}

case_arm_fails() { # an arm that fails leaves things as they were
	# requires: instances/crash/last_boot_info
	# limit: 180
	run crashtrace arm -S "$T/state" no_such_function_
	rc_is 7
	run crashtrace arm -S "$T/state" :mod:no_such_module_
	rc_is 7
	dir=$TRACEFS/instances/crash
	is 'tracer' "$(cat "$dir/current_tracer")" nop
	is 'tracing_on' "$(cat "$dir/tracing_on")" 0
	matches 'filter' "$(cat "$dir/set_ftrace_filter")" '^#### all functions enabled'
	ok 'no note that it is armed' test ! -e "$T/state/armed"
	echo write_null >"$dir/set_ftrace_filter"
	at_end "echo >$dir/set_ftrace_filter"
	run crashtrace arm -S "$T/state" read_zero
	rc_is 5
	err_has "set_ftrace_filter is set \('write_null'"
	is 'the filter of somebody else' "$(cat "$dir/set_ftrace_filter")" write_null
}

case_waits() { # a module that comes later is recorded, and its names are saved by themselves
	# requires: instances/crash/last_boot_info
	# limit: 180
	run crashtrace arm -S "$T/state" -w :mod:loop
	rc_is 0
	at_end "ft crashtrace disarm -S $T/state"
	loop_ready
	ok 'its symbols are saved' wait_for 60 grep -q 'loop_queue_rq.*loop' "$T"/state/boots/*/modsyms
	w_loop 7
	run crashtrace dump -S "$T/state" -F text
	rc_is 0
	is 'requests' "$(grep -c ' loop_queue_rq\[loop\] ' out)" 7
}

case_reload() { # a driver that is unloaded and loaded again, by name, in a list, by globs: traced from its first call on, beside others
	# requires: instances/crash/last_boot_info
	# limit: 600
	need_module dummy
	for patterns in :mod:loop :mod:dummy,loop 'l*:mod:loo? !loop_init:mod:loop' '/^l.*_rq$/:mod:loop'; do
		need_module loop
		# shellcheck disable=SC2086 # patterns
		run crashtrace arm -f -S "$T/state" $patterns
		rc_is 0
		at_end "ft crashtrace disarm -f -S $T/state"
		rmmod loop
		ok "$patterns: the watcher knows that it is gone" wait_for 60 nothing_of_loop
		insmod /modules/loop.ko
		ok "$patterns: its functions are back" wait_for 60 grep -q 'loop_queue_rq .loop' "$TRACEFS/instances/crash/set_ftrace_filter"
		run crashtrace status -S "$T/state"
		is 'complaints' "$(cat err)" ''
	done
	nomatch 'what is left out stays out' "$(cat "$TRACEFS/instances/crash/set_ftrace_filter")" 'loop_init'
	w_loop 7
	run crashtrace dump -S "$T/state" -F text
	is 'requests after it' "$(grep -c ' loop_queue_rq\[loop\] ' out)" 7
	# Nobody watches: said by status and check, and in the dump from when to when.
	pid=$(sed -n 's/^watcher \([0-9]*\).*/\1/p' "$T/state/armed")
	kill -9 "$pid"
	losetup -d "$LOOP"
	rmmod loop
	insmod /modules/loop.ko
	for what in status check; do
		run crashtrace "$what" -S "$T/state"
		out_has '^beware +NOT traced: loop '
	done
	run crashtrace refresh -S "$T/state"
	rc_is 0
	run crashtrace status -S "$T/state"
	nomatch 'after refresh' "$(cat out)" 'NOT traced'
	run crashtrace dump -S "$T/state"
	out_has '^beware +loop was not traced between [0-9.]+ s and [0-9.]+ s'
	# The boot hook's bare arm, with one of a list not there yet.
	run crashtrace arm -f -S "$T/state" :mod:loop,dummy
	rc_is 0
	rmmod loop
	run crashtrace arm -f -S "$T/state"
	rc_is 0
	err_has 'some modules are not loaded yet'
	matches 'the one that is there' "$(cat "$TRACEFS/instances/crash/set_ftrace_filter")" 'dummy_xmit .dummy'
	need_module loop
	ok 'the other one' wait_for 60 grep -q 'loop_queue_rq .loop' "$TRACEFS/instances/crash/set_ftrace_filter"
}

nothing_of_loop() { # whether the filter has no function of the module any more
	! grep -q '\[loop\]' "$TRACEFS/instances/crash/set_ftrace_filter"
}

case_late_process() { # the name of a process that starts after arming gets saved by itself
	# requires: instances/crash/last_boot_info
	# limit: 180
	run crashtrace arm -S "$T/state" read_zero
	rc_is 0
	at_end "ft crashtrace disarm -S $T/state"
	sleep 600 &
	at_end "kill $!"
	ok 'its name is saved' wait_for 240 grep -qx "$! sleep" "$T"/state/boots/*/cmdlines
}

case_graph() { # arm -g records a graph, dump -g draws it
	# requires: instances/crash/last_boot_info
	# limit: 180
	run crashtrace arm -S "$T/state" -g read_zero
	rc_is 0
	at_end "ft crashtrace disarm -S $T/state"
	w_reads 5
	run crashtrace dump -S "$T/state" -g
	rc_is 0
	is 'calls' "$(grep -c ' us   *read_zero();' out)" 5
}

case_no_region() { # without a region: 4 and how to get one; dump 10
	# requires: sh:! grep -q trace_instance /proc/cmdline
	run crashtrace arm -S "$T/state" -b ring read_zero
	rc_is 4
	err_has "crashtrace check"
	run crashtrace dump -S "$T/state" -b ring
	rc_is 10
	err_has 'no trace: the boot line has no trace_instance='
	run crashtrace arm -S "$T/state" -b module read_zero
	rc_is 2
	err_has 'name it with -r ADDRESS:SIZE'
	run crashtrace arm -S "$T/state" -b module -r 0x18000000:1M read_zero
	rc_is 4
	err_has 'no recorder module'
	run crashtrace disarm -S "$T/state"
	rc_is 0
}

case_check() { # what this kernel has, and at the end the line to paste, with a place in RAM
	# requires: sh:! grep -q trace_instance /proc/cmdline
	run crashtrace check -S "$T/state"
	rc_is 0
	out_has '^kernel .*, x86_64, 2 possible CPUs, KASLR o(n|ff)'
	out_has '^survival +unknown: run'
	case $KEY in
	[2-5].* | 6.1)
		out_has '^ring +no: .*6\.12'
		# shellcheck disable=SC2016 # the line's own $
		matches 'last line' "$(tail -n 1 out)" '^    memmap=4M\$0x[0-9a-f]+$'
		;;
	*)
		out_has '^ring +yes: persistent ring buffer; no region configured'
		# shellcheck disable=SC2016
		matches 'last line' "$(tail -n 1 out)" '^    memmap=4M\$(0x[0-9a-f]+) trace_instance=crash\^traceoff@0x[0-9a-f]+:4M$'
		;;
	esac
	place=$(tail -n 1 out)
	place=${place#*\$0x}
	place=$((0x${place%% *}))
	inside=
	while read -r range _ what; do
		case $what in
		'System RAM') if [ "$place" -gt $((0x${range%-*})) ] && [ $((place + 4194304)) -lt $((0x${range#*-})) ]; then inside=$range; fi ;;
		esac
	done </proc/iomem
	isnt 'the range of System RAM it is in' "$inside" ''
	ok 'no folder was made' test ! -e "$T/state"
}
