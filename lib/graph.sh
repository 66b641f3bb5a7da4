# graph.sh - the function_graph tracer
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: ft_graph. Runs in an instance from 6.11 on, else at the guarded top level. set_graph_function,
# set_graph_notrace, max_graph_depth and tracing_thresh exist at the top level only, so a graph with any of them
# takes the guard even then; what it asks there is whether anybody else graphs.

ft_busy_for_graph() { # -> $ft_busy: the guard's question, in an instance as at the top level
	if [ -n "$ft_private" ]; then
		ft_busy_graph
		return
	fi
	ft_busy_top
	if [ -z "$ft_busy" ]; then ft_busy_limits; fi
}

ft_busy_graph() { # -> $ft_busy: who else uses what a graph in an instance shares
	local file

	ft_busy=
	for file in "$FT_TRACEFS"/current_tracer "$FT_TRACEFS"/instances/*/current_tracer; do
		ft_read_first "$file" || continue
		case $file in
		"$ft_dir"/*) continue ;;
		esac
		if [ "$ft_value" = function_graph ]; then
			file=${file%/current_tracer}
			ft_busy="function_graph is active in ${file##*/}"
			return
		fi
	done
	for file in set_graph_function set_graph_notrace; do
		ft_read_first "$FT_TRACEFS/$file" || continue
		case $ft_value in
		'' | '#### '*) ;;
		*)
			ft_busy="$file is set ('$ft_value')"
			return
			;;
		esac
	done
	ft_busy_limits
}

ft_busy_limits() { # -> $ft_busy: what somebody set that would cut any graph short
	local file

	for file in max_graph_depth tracing_thresh; do
		ft_read_first "$FT_TRACEFS/$file" || continue
		if [ "$ft_value" != 0 ]; then
			ft_busy="$file is $ft_value"
			return
		fi
	done
}

ft_graph() { # WAY PATTERN...
	# WAY: "children" graphs each function with all it calls; "own" only the functions themselves.
	# Settings: force, flags (option names to set, "no" before those to clear), depth, slower (us), leave_out
	# (patterns), pids, tids, follow, buffer, headers, duration.
	local way="$1" flag

	shift
	ft_busy_check=ft_busy_for_graph
	ft_session_begin function_graph "$pids$tids"
	ft_trace_off
	ft_clock "$clock"
	if [ -n "$buffer" ]; then ft_buffer "$buffer"; fi
	if [ "$way" = own ]; then
		ft_own_graph
		ft_filter set_ftrace_filter "$@"
	elif [ $# -gt 0 ]; then
		ft_filter set_graph_function "$@"
		# ft_filter_count stops counting there.
		if [ "$ft_nfunc" -ge 1000 ] && [ -z "$force" ]; then
			ft_usage_error "$(ft_functions_text), with all they call, can bring a machine down; -F graphs them anyway"
		fi
		# One level deep: nothing but the functions themselves needs to be traced at all.
		if [ "$depth" = 1 ]; then ft_filter set_ftrace_filter "$@"; fi
	else
		ft_own_graph
	fi
	if [ -n "$leave_out" ]; then ft_leave_out; fi
	ft_graph_limits
	for flag in $flags; do ft_graph_flag "$flag"; done # no glob: our own words
	ft_pid_filter ftrace "$follow" "$pids" "$tids"
	# Its lines do not name the task.
	if [ -n "$ft_only" ]; then ft_warn 'this kernel graphs children of the process as well'; fi
	ft_only=
	ft_feeds=
	ft_tracer function_graph
	if [ -n "$headers" ]; then ft_header; fi
	ft_say_functions
	ft_stream "$ft_text" "$duration"
	ft_end
}

ft_own_graph() {
	# The instance's own filter is enough, unless somebody's set_graph_function narrows everybody's graph.
	if [ -n "$ft_private" ]; then
		ft_busy_graph
		case $ft_busy in
		set_graph* | max_graph* | tracing_thresh*) ft_die "$FT_EX_BUSY" "somebody else is graphing: $ft_busy, which also narrows this graph" ;;
		esac
	fi
}

ft_leave_out() {
	local found="${ft_nfunc:-}"

	set -f
	# shellcheck disable=SC2086 # a list of patterns without blanks
	set -- $leave_out
	set +f
	ft_filter set_ftrace_notrace "$@"
	ft_nfunc=$found
}

ft_graph_limits() {
	if [ -n "$depth" ] && ! ft_set max_graph_depth "$depth"; then
		ft_die "$FT_EX_KERNEL" "this kernel has no max_graph_depth (3.9 up): -m cannot work"
	fi
	# 2.6.32 has the file, and no graph that looks at it. What came before max_graph_depth is asked by name.
	if [ -n "$slower" ] && [ ! -e "$FT_TRACEFS/max_graph_depth" ] && ! grep -q ' trace_graph_thresh_return$' "$FT_PROC/kallsyms"; then
		ft_die "$FT_EX_KERNEL" "this kernel's function_graph ignores tracing_thresh: -M cannot work"
	fi
	if [ -n "$slower" ] && ! ft_set tracing_thresh "$slower"; then
		ft_die "$FT_EX_KERNEL" 'this kernel has no tracing_thresh: -M cannot work'
	fi
}

ft_graph_flag() { # FLAG: set, or with "no" before it cleared
	local config=

	case $1 in
	no*) ft_option "${1#no}" 0 && return ;;
	*) ft_option "$1" 1 && return ;;
	esac
	case $1 in
	funcgraph-retval) config=' (6.5 up, CONFIG_FUNCTION_GRAPH_RETVAL)' ;;
	funcgraph-args) config=' (6.15 up, CONFIG_FUNCTION_TRACE_ARGS with BTF)' ;;
	esac
	ft_die "$FT_EX_KERNEL" "this kernel has no option ${1#no}$config"
}
