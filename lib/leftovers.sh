# leftovers.sh - what is away from default in tracefs, and whose it is
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: ft_show_leftovers, ft_reset_top. Reads the top level's control files and instances/;
# ft_reset_top puts the top level back to what a fresh boot has.

ft_load guard

FT_TOP_FILES='tracing_on current_tracer set_ftrace_filter set_ftrace_notrace set_graph_function set_graph_notrace
set_ftrace_pid set_ftrace_notrace_pid set_event_pid set_event_notrace_pid tracing_thresh max_graph_depth
function_profile_enabled trace_clock'
FT_PROBE_FILES='kprobe_events uprobe_events synthetic_events'
# Options that are off after a boot and change what a reader gets.
FT_ODD_OPTIONS='bin hex raw block verbose stacktrace userstacktrace sym-offset sym-addr latency-format
func_stack_trace funcgraph-proc funcgraph-abstime funcgraph-tail'

# What the functions here set, empty until then: the environment may have variables of these names.
ft_found= ft_who= ft_whose=

ft_at_default() { # FILE VALUE: whether that reading is what a fresh boot has
	case $1=$2 in
	tracing_on=1 | current_tracer=nop | tracing_thresh=0 | max_graph_depth=0 | function_profile_enabled=0) ;;
	set_*='#### '*' ####' | set_*='no pid' | set_*=) ;;
	trace_clock='[local]'*) ;;
	*) return 1 ;;
	esac
}

ft_default_value() { # FILE: what to write for the default
	case $1 in
	tracing_on) echo 1 ;;
	current_tracer) echo nop ;;
	tracing_thresh | max_graph_depth | function_profile_enabled) echo 0 ;;
	trace_clock) echo local ;;
	*) echo ;;
	esac
}

ft_say() { # TEXT...: one line of the report; quiet: none
	if [ -z "${quiet:-}" ]; then printf '%s\n' "$*" 2>/dev/null || ft_output_failed; fi
}

ft_owner_text() { # PID START
	if ft_alive "$1" "$2"; then
		printf 'fieldtrace run, PID %s, alive\n' "$1"
	else
		printf 'fieldtrace run, PID %s, gone\n' "$1"
	fi
}

ft_instance_owner() { # NAME -> $ft_whose: live, dead or other; $ft_who: in words
	local start pid

	ft_whose=other
	ft_who="somebody else's"
	case $1 in
	ft.*.*.*)
		start=${1##*.}
		pid=${1%.*}
		pid=${pid##*.}
		case $pid$start in
		*[!0-9]*) return ;;
		esac
		ft_whose=dead
		if ft_alive "$pid" "$start"; then ft_whose=live; fi
		ft_who=$(ft_owner_text "$pid" "$start")
		;;
	esac
}

ft_show_leftovers() { # -> $ft_found: how many things are away from default
	local file line dir count

	ft_found=0
	for file in $FT_TOP_FILES; do
		ft_read_first "$FT_TRACEFS/$file" || continue
		if ft_at_default "$file" "$ft_value"; then continue; fi
		ft_found=$((ft_found + 1))
		ft_say "top level   $file is '$ft_value'$(ft_lock_text "$file")"
	done
	for file in $FT_ODD_OPTIONS; do
		ft_read_first "$FT_TRACEFS/options/$file" || continue
		if [ "$ft_value" = 1 ]; then
			ft_found=$((ft_found + 1))
			ft_say "top level   option $file is set"
		fi
	done
	count=0
	while read -r line; do
		count=$((count + 1))
		if [ "$count" -le 5 ]; then ft_say "event       $line is enabled at the top level"; fi
	done <"$FT_TRACEFS/set_event"
	if [ "$count" -gt 5 ]; then ft_say "event       ... and $((count - 5)) more"; fi
	ft_found=$((ft_found + count))
	ft_show_event_files
	ft_show_commands
	for file in $FT_PROBE_FILES; do
		if [ ! -r "$FT_TRACEFS/$file" ]; then continue; fi
		while read -r line; do
			ft_found=$((ft_found + 1))
			ft_probe_owner "$line"
			ft_say "probe       $line   ($ft_who)"
		done <"$FT_TRACEFS/$file"
	done
	for dir in "$FT_TRACEFS"/instances/*/; do
		dir=${dir%/}
		if [ ! -d "$dir" ]; then continue; fi
		# Made by the boot line, it may hold the trace of the boot before: crashtrace's business, and no leftover.
		if [ -e "$dir/last_boot_info" ]; then
			ft_say "instance    ${dir##*/}   (persistent, from the boot line; crashtrace reads it)"
			continue
		fi
		ft_instance_owner "${dir##*/}"
		ft_found=$((ft_found + 1))
		ft_say "instance    ${dir##*/}   ($ft_who)"
	done
	ft_show_locks
}

ft_event_files() { # "FILE:LINE" of each event's filter and triggers at the top level
	# An event without shows "none", or a comment.
	grep -Hsv -e '^none$' -e '^#' "$FT_TRACEFS"/events/*/*/filter "$FT_TRACEFS"/events/*/*/trigger
}

ft_show_event_files() {
	local ft_lines ft_line line event

	ft_lines=$(ft_event_files)
	while ft_next_line; do
		line=${ft_line#"$FT_TRACEFS"/events/}
		event=${line%%:*}
		ft_found=$((ft_found + 1))
		ft_say "event       ${event%/*} has a ${event##*/}: ${line#*:}"
	done
}

ft_reset_event_files() {
	local ft_lines ft_line line file

	ft_lines=$(ft_event_files)
	while ft_next_line; do
		line=${ft_line#"$FT_TRACEFS"/events/}
		file=$FT_TRACEFS/events/${line%%:*}
		line=${line#*:}
		case $file in
		*/filter)
			ft_write "$file" 0
			continue
			;;
		esac
		# A histogram goes by its whole text, anything else by its name and what it acts on.
		case $line in
		hist:*) line=${line%% \[*} ;;
		*)
			line=${line%% if *}
			line=${line%:unlimited}
			line=${line%:count=*}
			;;
		esac
		ft_append "$file" "!$line" || ft_warn "cannot remove the trigger '$line'"
	done
}

ft_commands() { # "FUNCTION:COMMAND:COUNT" lines among the functions of set_ftrace_filter; emptying it leaves them
	grep -s '^[^#]*:' "$FT_TRACEFS/set_ftrace_filter"
}

ft_show_commands() {
	local ft_lines ft_line

	ft_lines=$(ft_commands)
	while ft_next_line; do
		ft_found=$((ft_found + 1))
		ft_say "command     $ft_line in set_ftrace_filter"
	done
}

ft_reset_commands() {
	local ft_lines ft_line command

	ft_lines=$(ft_commands)
	while ft_next_line; do
		# "!" takes a counted command only with a count of its own, whatever that is.
		case $ft_line in
		*:unlimited) command=${ft_line%:unlimited} ;;
		*:count=*) command=${ft_line%:count=*}:0 ;;
		*) command=$ft_line ;;
		esac
		ft_append "$FT_TRACEFS/set_ftrace_filter" "!$command" || ft_warn "cannot remove '$ft_line' from set_ftrace_filter"
	done
}

ft_probe_owner() { # DEFINITION -> $ft_whose, $ft_who
	local group="${1#*:}"

	group=${group%%/*}
	ft_whose=other
	ft_who="somebody else's"
	case $group in
	ft_*_*)
		group=${group#ft_}
		case $group in
		*[!0-9_]*) return ;;
		esac
		ft_whose=dead
		if ft_alive "${group%_*}" "${group#*_}"; then ft_whose=live; fi
		ft_who=$(ft_owner_text "${group%_*}" "${group#*_}")
		;;
	esac
}

ft_lock_text() { # FILE: who holds the top level, if a fieldtrace run does
	if ft_state_dirs ft_state_existing && [ -d "$ft_state_found/top.lock" ]; then
		ft_lock_owner "$ft_state_found/top.lock"
		set -f
		# shellcheck disable=SC2086
		set -- $ft_owner
		set +f
		if [ $# -ge 3 ]; then printf '   (top level held by %s, %s)\n' "$3" "$(ft_owner_text "$1" "$2")"; fi
	fi
}

ft_show_locks() {
	local pid=''

	if ft_state_dirs ft_state_existing && [ -d "$ft_state_found/top.lock" ]; then
		ft_found=$((ft_found + 1))
		ft_say "lock        $ft_state_found/top.lock$(ft_lock_text)"
	fi
	if [ -f "$FT_PERF_TOOLS_LOCK" ] && [ ! -h "$FT_PERF_TOOLS_LOCK" ]; then
		read -r pid <"$FT_PERF_TOOLS_LOCK" || :
		ft_found=$((ft_found + 1))
		if [ -n "$pid" ] && [ -d "$FT_PROC/$pid" ]; then
			ft_say "lock        $FT_PERF_TOOLS_LOCK   (perf-tools, PID $pid, alive)"
		else
			ft_say "lock        $FT_PERF_TOOLS_LOCK   (perf-tools, PID ${pid:-unknown}, gone; -f removes it)"
		fi
	fi
}

FT_PERF_TOOLS_LOCK=/var/tmp/.ftrace-lock

ft_reset_top() {
	# Tracing off and the tracer nop before the filters; probes after their events are off.
	local file dir

	ft_write "$FT_TRACEFS/tracing_on" 0
	ft_reset_file current_tracer
	ft_write "$FT_TRACEFS/events/enable" 0
	ft_reset_event_files
	ft_reset_commands
	for file in $FT_TOP_FILES; do
		case $file in
		tracing_on | current_tracer) ;;
		*) ft_reset_file "$file" ;;
		esac
	done
	for file in $FT_ODD_OPTIONS; do
		ft_read_first "$FT_TRACEFS/options/$file" || continue
		if [ "$ft_value" = 1 ]; then ft_write "$FT_TRACEFS/options/$file" 0; fi
	done
	for dir in "$FT_TRACEFS"/instances/*/; do
		dir=${dir%/}
		if [ ! -d "$dir" ] || [ -e "$dir/last_boot_info" ]; then continue; fi
		ft_instance_owner "${dir##*/}"
		if [ "$ft_whose" = live ]; then
			ft_warn "instance ${dir##*/} belongs to a live run; end that first"
			continue
		fi
		ft_quiet_instance "$dir"
		rmdir "$dir" 2>/dev/null || ft_warn "cannot remove instance ${dir##*/}: somebody has a file open in it"
	done
	for file in synthetic_events kprobe_events uprobe_events; do ft_reset_probes "$file"; done
	ft_reset_file tracing_on
}

ft_reset_file() { # FILE
	ft_read_first "$FT_TRACEFS/$1" || return 0
	if ft_at_default "$1" "$ft_value"; then return; fi
	if ! ft_put_back "$1" "$(ft_default_value "$1")"; then ft_warn "cannot reset $1: in use?"; fi
}

ft_reset_probes() { # EVENTS_FILE: every probe in it that no live run owns
	local line name ft_lines='' ft_line

	if [ ! -r "$FT_TRACEFS/$1" ]; then return; fi
	while read -r line; do
		ft_probe_owner "$line"
		if [ "$ft_whose" = live ]; then continue; fi
		case $1 in
		synthetic_events) ft_lines="$ft_lines !$line
" ;;
		*)
			name=${line#*:}
			ft_lines="$ft_lines-:${name%% *}
"
			;;
		esac
	done <"$FT_TRACEFS/$1"
	while ft_next_line; do
		name=${ft_line# }
		ft_append "$FT_TRACEFS/$1" "$name" || ft_warn "cannot remove '$name': in use?"
	done
}
