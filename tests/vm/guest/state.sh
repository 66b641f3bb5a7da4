# shellcheck shell=sh
# state.sh - source it: the state that a tool must leave as it found it, as text to be compared byte for byte
# SPDX-License-Identifier: GPL-2.0-only
#
# Needs $TRACEFS. Costs about 0.3 s of an emulated CPU: a handful of processes, whatever the number of files.

# Files of tracefs that are not settings. Whatever is not named here is compared, files of newer kernels too.
#   streams: a read eats, blocks or is endless     trace trace_pipe trace_pipe_raw snapshot snapshot_raw
#   grow by mere use, kernel's own bookkeeping     saved_cmdlines saved_tgids error_log stats kprobe_profile
#                                                  uprobe_profile stack_trace stack_max_size touched_functions
#                                                  dyn_ftrace_total_info
#   long lists of what exists, not of what is set  README available_* printk_formats eval_map
#   read apart below                               enabled_functions (addresses differ), snapshot (its content does)
# The folders events (settings read apart below) and trace_stat (counts) are left out as a whole.
state_files() {
	find "$TRACEFS" \( -name events -o -name trace_stat \) -prune -o -type f -perm -400 \
		! -name trace ! -name trace_pipe ! -name trace_pipe_raw ! -name 'snapshot*' \
		! -name saved_cmdlines ! -name saved_tgids ! -name error_log ! -name stats ! -name kprobe_profile \
		! -name uprobe_profile ! -name stack_trace ! -name stack_max_size ! -name touched_functions \
		! -name dyn_ftrace_total_info \
		! -name README ! -name 'available_*' ! -name printk_formats ! -name eval_map ! -name enabled_functions \
		-exec grep -Hs '' {} +
}

# state_events DIR - filters and triggers of events in DIR (the top level or an instance) that are not the default;
# which events are on is in set_event, read with the rest
state_events() {
	[ -d "$1/events" ] || return 0
	# Newer kernels list these in two files, which state_files has read.
	[ ! -e "$1/show_event_filters" ] || return 0
	grep -Hsv -e '^none$' -e '^#' "$1"/events/*/*/filter "$1"/events/*/*/trigger "$1"/events/*/filter
}

# state_outside - what a tool could change outside of tracefs
state_outside() {
	grep -Hs '' /proc/sys/kernel/ftrace_enabled /proc/sys/kernel/stack_tracer_enabled \
		/proc/sys/kernel/ftrace_dump_on_oops /proc/sys/kernel/traceoff_on_warning \
		/proc/sys/kernel/tracepoint_printk /proc/sys/kernel/kptr_restrict \
		/proc/sys/kernel/perf_event_paranoid /proc/mounts
	awk '{ print "module: " $1 }' /proc/modules
	find /run /tmp /dev/shm -path "${T:-/none}" -prune -o -print
}

# state_snapshot - all of it on stdout
state_snapshot() {
	local dir
	{
		state_files
		for dir in "$TRACEFS" "$TRACEFS"/instances/*; do
			[ ! -d "$dir" ] || state_events "$dir"
			[ "$dir" = "$TRACEFS" ] || [ ! -d "$dir" ] || printf 'instance: %s\n' "$dir"
		done
		# Hooked functions: the name and how many hooks, without the addresses.
		awk '{ print "enabled_functions: " $1, $2 }' "$TRACEFS/enabled_functions" 2>/dev/null
		# Only whether there is one: "Snapshot is freed" or "allocated".
		grep -Hs '^# \* Snapshot is' "$TRACEFS/snapshot"
		state_outside
	} | sort
}

# state_reset - put tracing back to its defaults as well as can be, after a case that did not, so that the next cases
# can be judged. Silent.
state_reset() {
	local file dir
	{
		for dir in "$TRACEFS"/instances/* "$TRACEFS"; do
			[ -d "$dir" ] || continue
			echo 0 >"$dir/tracing_on"
			echo nop >"$dir/current_tracer"
			echo 0 >"$dir/events/enable"
			rmdir "$dir"
		done
		# Triggers are undone by writing them back with a ! before them.
		grep -Hsv '^#' "$TRACEFS"/events/*/*/trigger | while IFS=: read -r file dir; do
			printf '!%s\n' "${dir%% \[*}" >"$file"
		done
		for file in kprobe_events uprobe_events synthetic_events dynamic_events set_ftrace_filter \
			set_ftrace_notrace set_ftrace_pid set_ftrace_notrace_pid set_event_pid set_event_notrace_pid \
			set_graph_function set_graph_notrace trace; do
			echo >"$TRACEFS/$file"
		done
		grep -lv -e '^none$' -e '^#' "$TRACEFS"/events/*/*/filter "$TRACEFS"/events/*/filter | while read -r file; do
			echo 0 >"$file"
		done
		echo 0 >"$TRACEFS/max_graph_depth"
		echo local >"$TRACEFS/trace_clock"
		echo 1 >"$TRACEFS/tracing_on"
	} >/dev/null 2>&1
}
