# shellcheck shell=sh
# k_optional_test.sh - every file of tracefs is optional: one is missing at a time, for every command (K5, K7)
# SPDX-License-Identifier: GPL-2.0-only
# runs: once

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

lacking() { # FILE: a new fake whose top level and instances have no such file
	fake 7
	rm -rf "${TRACEFS:?}/$1" "${FAKE:?}/instance/$1"
	before=$(fake_state)
}

### K5

for file in tracing_max_latency set_event_pid set_event_notrace_pid max_graph_depth set_ftrace_notrace_pid snapshot \
	error_log buffer_size_kb tracing_thresh set_graph_notrace; do
	lacking "$file"
	for command in 'funccount -d 0.05 vfs_read' 'functrace -d 0.05 vfs_read' 'funcgraph -d 0.05 vfs_read' \
		'tpoint -d 0.05 sched:sched_switch' 'kprobe -d 0.05 p:vfs_read' 'modtrace -d 0.05 loop' reset-ftrace \
		'fieldtrace check'; do
		# shellcheck disable=SC2086 # words
		run $command
		tap_is "K5: without $file: $command" "$rc $(printf '%s\n' "$err" | grep -v '^Tracing')" '0 '
	done
	state_is "K5: without $file: all undone"
done

### what an option needs is named, with status 4 or 1, and nothing is left

needs() { # FILE COMMAND ARG...
	lacking "$1"
	file=$1
	shift
	run "$@"
	tap_like "K5: $*: names $file" "$rc $err" "^[14] .*($file|buffer)"
	state_is "K5: $*: nothing left"
}
needs max_graph_depth funcgraph -m 2 -d 0.05 vfs_read
needs tracing_thresh funcgraph -M 100 -d 0.05 vfs_read
needs buffer_size_kb functrace -b 100 -d 0.05 vfs_read
lacking set_event_pid
fake_pid 77 one 5
run tpoint -p 77 -d 0.05 sched:sched_switch
tap_is 'K5: tpoint -p without set_event_pid filters by the PID instead' "$rc" 0
tap_like 'K5: and so' "$(writes)" "sched_switch/filter [(]common_pid == 77[)]"
lacking kprobe_events
run kprobe -d 0.05 p:vfs_read
tap_like 'kprobe without kprobe_events: 4, and its option' "$rc $err" '^4 .*CONFIG_KPROBE_EVENTS'
run funccount -v -d 0.05 vfs_read
tap_like 'funccount without kprobe_events takes the tracer' "$err" '^engine: trace '
lacking available_filter_functions
for command in 'funccount -e trace -d 0.05 vfs_read' 'functrace -d 0.05 /^vfs_re/' 'funcgraph -d 0.05 /^vfs_re/' 'modtrace -l loop'; do
	# shellcheck disable=SC2086
	run $command
	tap_like "$command without the list of functions: 4, and its option" "$rc $err" '^4 .*CONFIG_DYNAMIC_FTRACE'
done

# A kprobe needs no such list: the names are the kernel's symbols.
for file in "$TRACEFS" "$FAKE/instance"; do rm "$file/set_ftrace_filter"; done
before=$(fake_state)
fake_pid 77 one 5
n=$(awk '$2 ~ /^[tTwW]$/ && $3 ~ /^vfs_re/ { print $3 }' "$FIELDTRACE_PROC/kallsyms" | wc -l)
run funccount -v -d 0.05 'vfs_re*'
tap_like 'unlisted: funccount counts by kprobes, and says so' "$rc $err" "^0 engine: kprobe [(]$((n)) functions?, names from /proc/kallsyms"
run funccount -d 0.05 vfs_raed
tap_like 'unlisted: close names' "$rc $err" '^7 .*Close: vfs_read'
run funccount -p 77 -d 0.05 vfs_read
tap_like 'unlisted: -p cannot be' "$rc $err" '^4 .*CONFIG_DYNAMIC_FTRACE'
run modtrace -c -d 0.05 loop lo_release
tap_is 'unlisted: modtrace -c' "$rc" 0
run modtrace -c -d 0.05 nosuch
tap_like 'unlisted: no such module' "$rc $err" "^7 .*no module 'nosuch'"
run kprobe -d 0.05 'p:vfs_re*'
tap_like 'unlisted: a glob of kprobe' "$rc $err" '^0 Tracing vfs_re'
FAKE_NOPROBE=vfs_read
export FAKE_NOPROBE
run funccount -d 0.05 'vfs_re*'
tap_like 'unlisted: what the kernel refuses is left out' "$rc $err" '^0 funccount: no kprobe possible on: vfs_read'
unset FAKE_NOPROBE
run fieldtrace check
tap_like 'unlisted: fieldtrace check says which engine' "$out" '^funccount +yes: engine kprobe alone'
grep -v kprobe_ftrace_handler "$FIELDTRACE_PROC/kallsyms" >"$T/symbols"
cat "$T/symbols" >"$FIELDTRACE_PROC/kallsyms"
run funccount -d 0.05 vfs_read
tap_like 'unlisted: no trap that nobody asked for' "$rc $err" '^4 .*CONFIG_DYNAMIC_FTRACE.*-e kprobe counts'
run funccount -e kprobe -d 0.05 vfs_read
tap_is 'unlisted: one that was' "$rc" 0
state_is 'unlisted: all undone'

### K7

fake 7
for dir in "$TRACEFS" "$FAKE/instance"; do echo 'function nop' >"$dir/available_tracers"; done
before=$(fake_state)
run funcgraph -d 0.05 vfs_read
tap_like 'K7: funcgraph: 4, and its option' "$rc $err" '^4 .*CONFIG_FUNCTION_GRAPH_TRACER'
run modtrace -g -d 0.05 loop
tap_like 'K7: modtrace -g: 4, and its option' "$rc $err" '^4 .*CONFIG_FUNCTION_GRAPH_TRACER'
run fieldtrace check
tap_like 'K7: fieldtrace check says so' "$out" '^funcgraph +no: needs CONFIG_FUNCTION_GRAPH_TRACER'
run functrace -d 0.05 vfs_read
tap_is 'K7: the others work' "$rc" 0
state_is 'K7: nothing left'
for dir in "$TRACEFS" "$FAKE/instance"; do echo nop >"$dir/available_tracers"; done
before=$(fake_state)
for command in 'functrace -d 0.05 vfs_read' 'modtrace -d 0.05 loop' 'funccount -e trace -d 0.05 vfs_read'; do
	# shellcheck disable=SC2086
	run $command
	tap_like "$command without any tracer: 4, and its option" "$rc $err" '^4 .*CONFIG_FUNCTION_TRACER'
done
state_is 'without any tracer: nothing left'

tap_done
