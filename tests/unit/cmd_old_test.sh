# shellcheck shell=sh
# cmd_old_test.sh - every command on kernels that cannot be booted any more, imitated (kernels.tsv)
# SPDX-License-Identifier: GPL-2.0-only
# runs: some

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

list() { # GREP_PATTERN: how many functions the list has of it
	grep -c -e "$1" "$TRACEFS/available_filter_functions"
}

begin() { # KEY
	fake "$1"
	key=$1
	fake_pid 77 one 5
	fake_pid 78 two 6
	fake_pid 79 two 7
	mkdir "$FAKE/proc/78/task/79"
	printf 'some <-body\nany <-body\n' >"$FAKE/buffer"
	before=$(fake_state)
}

good() { # ARG...: the command does it: 0, what was recorded comes out, all undone
	: >"$FAKE/log"
	run "$@"
	tap_is "$key: $*" "$rc $out" "0 $(cat "$FAKE/buffer")"
	state_is "$key: $*: all undone"
}

refused() { # CODE ERE ARG...: the command says why it cannot, and leaves nothing
	local code="$1" ere="$2"

	shift 2
	: >"$FAKE/log"
	run "$@"
	tap_is "$key: $*: $code" "$rc" "$code"
	tap_like "$key: $*: and why" "$err" "$ere"
	state_is "$key: $*: nothing left"
}

### every old kernel

for key in 2.6.32 3.10 3.18 4.4 4.19; do
	begin "$key"
	good functrace -d 0.05 vfs_read
	good functrace -s -d 0.05 vfs_read
	tap_like "$key: -s: the stack flag" "$(writes)" '^options/func_stack_trace 1$'
	good funcgraph -P -t -d 0.05 vfs_read
	tap_like "$key: -P: its flag" "$(writes)" '^options/funcgraph-proc 1$'
	good funcgraph -D -d 0.05 vfs_read
	tap_like "$key: -D: its flag" "$(writes)" '^options/funcgraph-duration 0$'
	good tpoint -d 0.05 sched:sched_switch
	good tpoint -d 0.05 'sched:sched_process_e*' 'pid > 1'
	good tpoint -p 77 -d 0.05 sched:sched_switch
	good functrace -p 77 -d 0.05 vfs_read
	case $(fake_feature pids) in
	one) refused 4 'takes one PID in set_ftrace_pid' functrace -p 78 -d 0.05 vfs_read ;;
	each)
		good functrace -p 78 -d 0.05 vfs_read
		tap_is "$key: both threads, one a write" "$(writes | grep '^set_ftrace_pid [0-9]' | tail -n 2 | tr '\n' ,)" \
			'set_ftrace_pid 78,set_ftrace_pid 79,'
		;;
	many) good functrace -p 78 -d 0.05 vfs_read ;;
	esac
	good modtrace -d 0.05 loop
	good functrace -d 0.05 vfs_read vfs_write
	refused 7 "no function matches 'nosuch'" functrace -d 0.05 nosuch
	refused 7 "no function matches 'nosuch'" functrace -d 0.05 vfs_read nosuch
	refused 7 "no function matches 'nosuch'" functrace -d 0.05 nosuch vfs_read
	refused 7 "no event 'no:such'" tpoint -d 0.05 no:such
	refused 4 'no function profiler' funccount -e profile -d 0.05 vfs_read
	# A star in the middle: the oldest would take all that begins with vfs_
	run functrace -d 0.05 'vfs_*d'
	tap_like "$key: a star in the middle" "$err" "^Tracing $(list '^vfs_.*d$') functions"
	state_is "$key: a star in the middle: all undone"
	run functrace -d 0.05 'vfs_?ead'
	tap_like "$key: a question mark" "$err" '^Tracing 1 function '
	run functrace -d 0.05 'vfs_*' '!vfs_read'
	tap_like "$key: one left out" "$err" "^Tracing $(($(list '^vfs_') - 1)) functions"
	run functrace -d 0.05 '/^vfs_(read|write)$/'
	tap_like "$key: a regex" "$err" '^Tracing 2 functions'
	run functrace -d 0.05 'loop:lo_release'
	tap_like "$key: a function of a module" "$err" '^Tracing 1 function '
	run functrace -d 0.05 loop:vfs_read
	tap_is "$key: a function of another module: 7" "$rc" 7
	run modtrace -l loop
	tap_is "$key: modtrace -l names the module" "$(printf '%s\n' "$out" | grep -c '^[^ ]* \[loop\]$')" \
		"$(printf '%s\n' "$out" | grep -c .)"
	tap_like "$key: and has its functions" "$out" '^lo_release \[loop\]$'
	FIELDTRACE_FILTER=names
	export FIELDTRACE_FILTER
	run functrace -d 0.05 'vfs_*d'
	tap_like "$key: by names" "$rc $err" "^0 Tracing $(list '^vfs_.*d$') functions"
	unset FIELDTRACE_FILTER
	# What the kernel lists and does not take, or has no room for
	run funcgraph -d 0.05 'vfs_*'
	case $(fake_feature graphmax) in
	32) tap_like "untaken $key: 32 and no more" "$rc $err" \
		"^0 funcgraph: the kernel takes 32 of $(list '^vfs_') functions into set_graph_function: it holds no more.* and 21 more" ;;
	*) tap_like "untaken $key: all" "$rc $err" "^0 Tracing $(list '^vfs_') functions" ;;
	esac
	run funcgraph -d 0.05 'vfs_*' lo_release
	case $(fake_feature graphmax) in
	32) tap_like "untaken $key: no room for one that was named" "$rc $err" '^8 .*does not take lo_release into set_graph_function: it holds' ;;
	*) tap_is "untaken $key: room for it" "$rc" 0 ;;
	esac
	FAKE_REFUSE='vfs_write vfs_fsync'
	export FAKE_REFUSE
	case $key in
	# It says nothing, and takes nothing
	2.6.32) ;;
	*) refused 8 'does not take vfs_write into set_ftrace_filter' functrace -d 0.05 vfs_read vfs_write kernel_clone ;;
	esac
	refused 8 'does not take vfs_write into set_graph_function' funcgraph -d 0.05 vfs_write vfs_read
	run funcgraph -d 0.05 '/^vfs_(read|write|fsync)$/'
	tap_like "untaken $key: one that was not named" "$rc $err" \
		'^0 funcgraph: the kernel takes 1 of 3 functions into set_graph_function: .*Not in it: vfs_(write, vfs_fsync|fsync, vfs_write)'
	tap_like "untaken $key: the banner counts what is taken" "$err" '^Tracing 1 function '
	unset FAKE_REFUSE
	run fieldtrace check
	tap_is "$key: fieldtrace check" "$rc" 0
	state_is "$key: all undone"
	# Somebody else at the top level (K8)
	echo function >"$TRACEFS/current_tracer"
	echo vfs_write >"$TRACEFS/set_ftrace_filter"
	before=$(fake_state)
	case $key in
	4.*)
		run functrace -d 0.05 vfs_read
		tap_is "K8 $key: functrace beside somebody else" "$rc" 0
		;;
	*) refused 5 "tracer 'function' is active" functrace -d 0.05 vfs_read ;;
	esac
	refused 5 "tracer 'function' is active" funcgraph -d 0.05 vfs_read
	state_is "K8 $key: foreign state is untouched"
done

### what only some have

begin 2.6.32
refused 4 'CONFIG_KPROBE_EVENTS' kprobe -d 0.05 p:vfs_read
refused 4 'CONFIG_KPROBE_EVENTS' funccount -e kprobe -d 0.05 vfs_read
refused 4 'one PID' functrace -p 78 -d 0.05 vfs_read
good functrace -L 79 -d 0.05 vfs_read
refused 4 'max_graph_depth' funcgraph -m 3 -d 0.05 vfs_read
refused 4 'ignores tracing_thresh' funcgraph -M 1000 -d 0.05 vfs_read
refused 4 'cannot follow' functrace -f -p 77 -d 0.05 vfs_read
refused 4 'cannot follow' tpoint -f -p 77 -d 0.05 sched:sched_switch
refused 4 'cannot wait' modtrace -w -d 0.05 nosuch
good tpoint -p 78 -d 0.05 sched:sched_switch
tap_like '2.6.32: PIDs go into the event filter' "$(writes)" '^events/sched/sched_switch/filter [(]common_pid == 78 [|][|] common_pid == 79[)]$'
good tpoint -p 77 -d 0.05 sched:sched_switch 'prev_prio < 100'
tap_like '2.6.32: with the user'\''s own' "$(writes)" 'filter [(]prev_prio < 100[)] && [(]common_pid == 77[)]$'
tap_is '2.6.32: tracing_enabled is left alone, its 0 stops the profiler too' "$(writes | grep -c '^tracing_enabled ')" 0
echo 0 >"$TRACEFS/tracing_enabled"
before=$(fake_state)
good functrace -d 0.05 vfs_read
tap_like '2.6.32: and switched on where it was off' "$(writes)" '^tracing_enabled 1$'
echo 4242 >"$TRACEFS/set_ftrace_pid"
before=$(fake_state)
refused 5 "set_ftrace_pid is set [(]'4242'[)]" functrace -d 0.05 vfs_read
run reset-ftrace -n
tap_like '2.6.32: reset-ftrace -n shows it' "$out" "set_ftrace_pid is '4242'"
state_is '2.6.32: -n resets nothing'
run reset-ftrace -a
tap_is '2.6.32: reset-ftrace -a' "$rc$err" 0
tap_is '2.6.32: -1 clears set_ftrace_pid' "$(cat "$TRACEFS/set_ftrace_pid")" 'no pid'

# funccount by the function tracer, at the top level, ended by a signal. The kernel traces children of the process as well; the name
# of a task may look like a line.
begin 2.6.32
n=0
while [ "$n" -lt 6 ]; do
	n=$((n + 1))
	printf '        one: <-x-77    [000]    20.57225%s: read_zero <-vfs_read\n' "$n"
	printf '           child-231   [000]    20.57225%s: read_zero <-vfs_read\n' "$n"
done >"$T/feed"
fake_feed "$T/feed"
start funccount -p 77 vfs_read
wait_for grep -q read_zero "$T/out" || :
finish TERM
stop_feeder
tap_like '2.6.32: funccount counts what was asked for' "$out" '^read_zero +6$'
state_is '2.6.32: funccount: all undone'
cp "$T/feed" "$FAKE/buffer"
run functrace -d 0.05 -p 77 vfs_read
tap_is '2.6.32: functrace -p: that process, and no child' "$rc $(printf '%s\n' "$out" | grep -c -e '-77 ') $(printf '%s\n' "$out" | grep -c -e '-231 ')" '0 6 0'

begin 3.10
good kprobe -d 0.05 p:vfs_read
good funcgraph -m 3 -d 0.05 vfs_read
good functrace -p 78 -d 0.05 vfs_read
refused 4 'cannot wait' modtrace -w -d 0.05 nosuch
refused 4 'cannot follow' functrace -f -p 77 -d 0.05 vfs_read
tap_like '3.10: events go into an instance' "$(run tpoint -d 0.05 sched:sched_switch && cat "$FAKE/log")" '^instances/ft[.]tpoint[.][0-9.]*/tracing_on'

before=$(fake_state)
good tpoint -s -d 0.05 sched:sched_switch
tap_like '3.10: -s by the options that instances share with the top level' "$(writes)" '^options/stacktrace 1$'

begin 4.4
good functrace -p 78 -d 0.05 vfs_read
tap_like '4.4: -p at the top level, for an instance has no set_ftrace_pid' "$(cat "$FAKE/log")" "^set_ftrace_pid${tab}78 79\$"
good functrace -d 0.05 vfs_read
tap_like '4.4: without -p in an instance' "$(cat "$FAKE/log")" '^instances/ft[.]functrace[.][0-9.]*/current_tracer'
good tpoint -p 78 -d 0.05 sched:sched_switch
tap_like '4.4: set_event_pid' "$(writes)" '^set_event_pid 78 79$'
refused 4 'cannot wait' modtrace -w -d 0.05 nosuch

begin 4.19
good functrace -f -p 77 -d 0.05 vfs_read
good tpoint -f -p 77 -d 0.05 sched:sched_switch
good modtrace -w -d 0.05 nosuch
tap_like '4.19: the filter waits for the module' "$(writes)" '^set_ftrace_filter :mod:nosuch$'

tap_done
