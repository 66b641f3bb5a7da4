# count.sh - counting calls without and with CONFIG_FUNCTION_PROFILER
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: ft_count. Three engines, the first that can do it:
#   kprobe   a kprobe a function, recording off: kprobe_profile counts in the kernel, exactly
#   profile  function_profile_enabled and trace_stat, at the guarded top level
#   trace    the function tracer in an instance, its lines counted by awk; losses are shown
# Touches set_ftrace_filter, kprobe_events, events/GROUP/enable, current_tracer of the session's folder.

FT_PROGRAMS="$FT_PROGRAMS cat cut grep sort"

# Above this, defining and enabling kprobes takes longer than anybody waits.
FT_KPROBE_MAX=200
ft_auto=             # 1 while the engine is our own choice
n= refused= several= # of ft_count_kprobe, for ft_count_one

# What the functions here set, empty until then: the environment may have variables of these names.
ft_ambiguous= ft_by_ftrace= ft_call_words= ft_functions= ft_hits= ft_stamp= ft_syms=

ft_count() { # PATTERN...
	# Settings: engine, interval, duration (seconds or empty), top, stamp (1: date over each table),
	# pids, tids, follow, verbose, force.
	FT_PROGRAMS="$FT_PROGRAMS${stamp:+ date}${top:+ tail}"
	ft_need_tracefs
	if [ ! -r "$FT_TRACEFS/available_filter_functions" ]; then
		ft_count_unlisted "$@"
		return
	fi
	ft_session_begin function "$pids$tids"
	ft_trace_off
	if [ "$engine" = profile ]; then
		ft_need_profiler
		ft_take_profiler
	fi
	ft_filter set_ftrace_filter "$@"
	ft_choose_engine "$@"
	if [ -n "$verbose" ]; then
		ft_note "engine: $engine ($(ft_functions_text), filter by $ft_way${ft_kallsyms:+, modules from /proc/kallsyms})"
	fi
	ft_count_"$engine"
}

ft_names= # the functions, where no filter lists them

ft_count_unlisted() { # PATTERN...: where nothing but a kprobe can choose functions (no CONFIG_DYNAMIC_FTRACE); names from kallsyms
	case $engine in
	'' | kprobe) ;;
	*) ft_die "$FT_EX_KERNEL" "-e $engine needs a list of traceable functions (CONFIG_DYNAMIC_FTRACE), which this kernel does not have" ;;
	esac
	if [ -n "$pids$tids" ]; then
		ft_die "$FT_EX_KERNEL" '-p and -L need a list of traceable functions (CONFIG_DYNAMIC_FTRACE), which this kernel does not have'
	fi
	ft_load probes
	if [ -z "$engine" ] && ft_probe_traps; then
		ft_die "$FT_EX_KERNEL" 'this kernel has no list of traceable functions (CONFIG_DYNAMIC_FTRACE), and a kprobe is a trap on' \
			'this machine, which on some brings the kernel down; -e kprobe counts by kprobes all the same'
	fi
	ft_session_begin events
	ft_trace_off
	engine=kprobe
	ft_list=$FT_PROC/kallsyms
	ft_parse_patterns "$@"
	ft_check_modules "$ft_lines"
	ft_resolve names "$@"
	ft_names=$ft_resolved
	ft_choose_engine "$@"
	if [ -n "$verbose" ]; then ft_note "engine: kprobe ($(ft_functions_text), names from /proc/kallsyms)"; fi
	ft_count_kprobe
}

ft_need_profiler() { # for -e profile: ends with 2 or 4 where it cannot be
	if [ -n "$pids$tids" ]; then ft_usage_error '-e profile counts for all processes: no -p or -L'; fi
	if [ ! -e "$FT_TRACEFS/function_profile_enabled" ]; then
		ft_die "$FT_EX_KERNEL" "this kernel has no function profiler (CONFIG_FUNCTION_PROFILER); leave out -e profile"
	fi
}

ft_profiler_free() { # whether the kernel has the profiler and nobody uses the top level
	if [ ! -e "$FT_TRACEFS/function_profile_enabled" ]; then return 1; fi
	# Without instances it is this session that uses the top level, which was free for it.
	if [ -z "$ft_private" ]; then return; fi
	ft_busy_top
	[ -z "$ft_busy" ]
}

ft_take_profiler() { # It goes by the top level's filter: the session moves there.
	engine=profile
	ft_guard
	if [ -n "$ft_private" ]; then
		rmdir "$ft_dir" 2>/dev/null
		ft_private=
		ft_dir=$FT_TRACEFS
	fi
}

ft_choose_engine() { # PATTERN...
	case $engine in
	'') ft_best_engine "$@" ;;
	kprobe)
		if [ ! -e "$FT_TRACEFS/kprobe_events" ]; then
			ft_die "$FT_EX_KERNEL" 'this kernel has no kprobe_events (CONFIG_KPROBE_EVENTS); use -e trace'
		fi
		if [ -n "$pids$tids" ]; then ft_usage_error '-e kprobe counts for all processes: -p and -L need -e trace'; fi
		if [ "$ft_nfunc" -gt "$FT_KPROBE_MAX" ] && [ -z "$force" ]; then
			ft_usage_error "$(ft_functions_text) are too many for a kprobe each (limit $FT_KPROBE_MAX): use -e trace, or -F to force"
		fi
		ft_find_ambiguous
		ft_load probes
		ft_warn_traps
		;;
	esac
}

ft_best_engine() { # PATTERN... -> $engine, the one that costs a call least; the filter moves with it
	local own="$ft_private"

	engine=trace
	if [ -n "$pids$tids" ]; then return; fi
	if [ -w "$FT_TRACEFS/kprobe_events" ] && [ "$ft_nfunc" -le "$FT_KPROBE_MAX" ]; then
		ft_find_ambiguous
		# Where a kprobe is a trap it costs more than either of the others, and on some machines it brings the kernel down.
		if [ -z "$ft_ambiguous" ] && [ -n "$ft_by_ftrace" ]; then
			engine=kprobe
			ft_auto=1
			return
		fi
	fi
	if ! ft_profiler_free; then return; fi
	ft_take_profiler
	if [ -n "$own" ]; then ft_filter set_ftrace_filter "$@"; fi
}

ft_find_ambiguous() {
	# -> $ft_ambiguous: names in the filter that a probe by name would not count right. $ft_by_ftrace: 1 when a kprobe on a
	# function is a call from ftrace (CONFIG_KPROBES_ON_FTRACE) and no trap.
	ft_ambiguous=$({
		if [ -n "$ft_list" ]; then printf '%s\n' "$ft_names"; else cat "$ft_dir/set_ftrace_filter"; fi
		echo --
		ft_symbol_lines
	} | ft_awk_exec ambiguous -v handler="$FT_KPROBE_HANDLER") || ft_ambiguous=
	ft_by_ftrace=
	case $ft_ambiguous in
	+*)
		ft_ambiguous=${ft_ambiguous#+}
		ft_by_ftrace=1
		;;
	esac
}

ft_symbol_lines() {
	# The lines of kallsyms; for a few functions only those with their names, and the handler's, in them, since awk is slow at
	# so many lines.
	local name rest text=" $FT_KPROBE_HANDLER"

	if [ "$ft_nfunc" -gt 16 ] || [ -n "$ft_list" ]; then
		cat "$FT_PROC/kallsyms"
		return
	fi
	# shellcheck disable=SC2034
	while read -r name rest; do
		case $name in
		'' | '#'*) ;;
		*) text="$text
 $name" ;;
		esac
	done <"$ft_dir/set_ftrace_filter"
	grep -F "$text" "$FT_PROC/kallsyms"
} 2>/dev/null

ft_intervals() { # TABLE_FUNCTION
	# Calls TABLE_FUNCTION at the end of each interval. Ends are reckoned from the start, so that
	# neither a slow table nor a slow machine shifts the later ones; the last interval is cut so that
	# the total is the duration.
	local step end='' next

	if [ -n "$duration" ]; then
		ft_ms "$duration"
		end=$ft_ms
	fi
	ft_ms "${interval:-${duration:-2000000}}"
	step=$ft_ms
	ft_now_ms
	next=$ft_now
	if [ -n "$end" ]; then end=$((next + end)); fi
	while :; do
		next=$((next + step))
		if [ -n "$end" ] && [ "$next" -gt "$end" ]; then next=$end; fi
		ft_now_ms
		ft_sleep $((next - ft_now)) || :
		ft_heard
		last=
		if [ -n "$ft_signal" ] || [ "$next" = "$end" ]; then last=1; fi
		ft_still_there
		ft_stamp=
		if [ -n "$stamp" ]; then ft_stamp=$(date); fi
		"$1"
		if [ -n "$last" ]; then return; fi
	done
}

ft_print_table() { # TEXT
	# Printed by the shell, which notices a full disk and a closed pipe in every kind of awk.
	printf '%s\n' "$1" 2>/dev/null || ft_output_failed
}

### kprobe

ft_count_kprobe() {
	local name mod n=0 refused='' several='' ft_lines="$ft_names" ft_line

	ft_hits=
	ft_functions=
	if [ -n "$ft_list" ]; then
		while ft_next_line; do
			case $ft_line in
			*' '*) ft_count_one "${ft_line%% *}" "${ft_line#* }" ;;
			*) ft_count_one "$ft_line" '' ;;
			esac
		done
	else
		while read -r name mod; do ft_count_one "$name" "$mod" || break; done <"$ft_dir/set_ftrace_filter"
	fi
	if [ -n "$ft_auto" ] && [ -n "$refused" ]; then
		ft_count_otherwise "a kprobe on$refused"
		return
	fi
	if [ -n "$several" ]; then
		ft_warn "more than one function goes by the name of:$several (counting the others; -e trace takes them)"
	fi
	if [ -n "$refused" ]; then ft_warn "no kprobe possible on:$refused (counting the others; -e trace may take them)"; fi
	if [ -z "$ft_functions" ]; then ft_die "$FT_EX_REFUSED" 'the kernel takes no kprobe on any of these functions'; fi
	if ! ft_write "$ft_dir/events/$ft_group/enable" 1; then
		if [ -n "$ft_auto" ]; then
			ft_count_otherwise 'some of these kprobes'
			return
		fi
		ft_enable_each
	fi
	ft_hits=$(ft_read_hits)
	ft_running=1
	ft_say_functions
	ft_banner "$ft_text" "$duration"
	ft_intervals ft_table_kprobe
	ft_report_missed
	ft_end
}

ft_count_one() { # NAME [MODULE]: a probe on it, for ft_count_kprobe; 1 when that is over at the first refusal
	local name="$1" mod="$2"

	case $name in
	'' | '#'*) return ;;
	esac
	case "$ft_ambiguous " in
	*" $name "*)
		several=$ft_ambiguous
		return
		;;
	esac
	n=$((n + 1))
	mod=${mod#\[}
	mod=${mod%\]}
	if ft_add_probe kprobe_events "$ft_group/ft$$_$n" "p:$ft_group/ft$$_$n ${mod:+$mod:}$name"; then
		ft_functions="$ft_functions$n $name${mod:+ [$mod]}
"
	else
		refused="$refused $name"
		if [ -n "$ft_auto" ]; then return 1; fi
	fi
	if [ -n "$ft_signal" ]; then ft_end; fi
}

ft_count_otherwise() { # WHAT: nobody asked for kprobes, and the kernel refuses WHAT: the function tracer counts instead
	ft_write "$ft_dir/events/$ft_group/enable" 0
	ft_delete_probes
	engine=trace
	if [ -n "$verbose" ]; then ft_note "engine: $engine (the kernel refuses $1)"; fi
	ft_count_trace
}

ft_enable_each() {
	# One event that cannot be enabled (some code is not fit for probing) must not stop the others.
	local dir bad=''

	for dir in "$ft_dir/events/$ft_group"/*/; do
		ft_write "${dir}enable" 1 || bad="$bad ${dir##*_}"
	done
	if [ -n "$bad" ]; then ft_warn "$(ft_commas "$bad") probes cannot be enabled; counting the others"; fi
}

ft_read_hits() { # in a substitution, which it becomes
	# "  EVENT  HITS  MISSED", without the group
	exec grep "^ *ft$$_" "$FT_TRACEFS/kprobe_profile"
}

ft_table_kprobe() {
	local now table

	now=$(ft_read_hits)
	table=$(printf '%s--\n%s\n--\n%s\n' "$ft_functions" "$ft_hits" "$now" |
		ft_awk_exec count_kprobe -v top="$top" -v stamp="$ft_stamp")
	ft_hits=$now
	ft_print_table "$table"
}

ft_report_missed() { # after the last reading: hits that found their probe busy
	local ft_lines="$ft_hits" ft_line missed

	while ft_next_line; do
		missed=${ft_line##* }
		case $missed in
		'' | 0) ;;
		*) ft_warn "a probe missed $missed hits (another probe was running on that CPU): counts are low by that" ;;
		esac
	done
}

### trace

ft_count_trace() {
	if [ "$ft_nfunc" -gt "$FT_KPROBE_MAX" ] && [ "$ft_private" = 1 ]; then
		# Room for a burst while awk counts; kept within a machine's means.
		ft_write "$ft_dir/buffer_size_kb" 4096 || :
	fi
	ft_pid_filter ftrace "$follow" "$pids" "$tids"
	# No reader of ours calls a module's functions: it writes tables only.
	if [ -n "$ft_one_module" ]; then ft_feeds=; fi
	ft_syms=
	ft_call_words=0
	if [ -z "$ft_feeds$ft_only" ]; then
		ft_option context-info 0 || :
		ft_raw_lines
		# The kernel looks up a name less for each line, and a call is one word.
		if [ -n "$ft_syms" ]; then ft_call_words=2; elif ft_option print-parent 0; then ft_call_words=1; fi
	fi
	ft_tracer function
	ft_awk_probe_live
	ft_open_counter
	ft_running=1
	ft_left=0
	ft_trace_on
	ft_say_functions
	ft_banner "$ft_text" "$duration"
	ft_intervals ft_table_trace
	ft_report_losses "$ft_left"
	ft_end
}

ft_raw_lines() { # -> $ft_syms: /proc/kallsyms when the lines come as bare addresses, named afterwards
	# For a module only: the kernel names its own functions fast, a module's by walking all its symbols.
	# Not where kptr_restrict shows zeros; x86 has per-CPU symbols near 0 first, hence some lines.
	local address rest n=0

	ft_syms=
	if [ -z "$ft_one_module" ]; then return; fi
	while [ "$n" -lt 20 ] && read -r address rest; do
		n=$((n + 1))
		case $address in
		*[!0]*)
			if ft_option raw 1; then
				ft_syms=$FT_PROC/kallsyms
				FT_SYMS=$ft_syms
				FT_MODULE=$ft_one_module
				export FT_SYMS FT_MODULE
			fi
			return
			;;
		esac
	done 2>/dev/null <"$FT_PROC/kallsyms"
}

ft_wait_ready() { # until the counter has the names: a module may be unloaded, or the run be over, soon after the banner
	while ft_read_first "$FT_PROC/$ft_reader/comm" && [ "$ft_value" != ft-ready ]; do
		if [ -n "$ft_signal" ]; then ft_end; fi
		ft_sleep 100 || :
	done
}

ft_open_counter() {
	local ready=''

	ft_kernel_pid $$
	# A process may change its own name (2.6.33 up), by which it tells that it has read the symbols.
	if [ -n "$ft_syms" ] && [ -e "$FT_PROC/self/comm" ]; then ready=/proc/self/comm; fi
	FT_MARKER=$ft_dir/trace_marker
	export FT_MARKER
	{
		ft_no_ctrl_c
		ft_awk_exec count_trace -v top="$top" -v raw="${ft_syms:+1}" -v words="$ft_call_words" \
			-v module="$ft_one_module" -v list="$ft_dir/set_ftrace_filter" -v only="$ft_only" \
			-v own="${ft_feeds:+$ft_kpid}" -v status="$FT_PROC/self/status" -v ready="$ready" <"$ft_dir/trace_pipe"
	} &
	ft_started
	ft_reader=$ft_pid
	ft_child "$ft_reader"
	if [ -n "$ready" ]; then ft_wait_ready; fi
	# What is counted must not wait for the counting: on a busy CPU awk, even with half of the time, reads one in twenty of the
	# calls that come, so that it is the buffer that holds a burst. A tenth of the time is left to awk then.
	if command -v renice >/dev/null 2>&1; then renice -n 10 -p "$ft_reader" >/dev/null 2>&1 || :; fi
}

ft_table_trace() {
	if ft_reader_gone; then
		# Its stream ended, after which it printed what it had; or its output failed.
		wait "$ft_reader" || ft_reader_result $?
		last=1
		return
	fi
	if [ -z "$last" ]; then
		ft_mark "table $ft_stamp"
		return
	fi
	if [ -n "$ft_stamp" ]; then ft_mark "stamp $ft_stamp"; fi
	ft_stop_awk "end $ft_stamp" "$ft_signal"
	ft_reader_result "$ft_stopped"
}

### profile

ft_count_profile() {
	ft_functions=$(grep -v '^####' "$FT_TRACEFS/set_ftrace_filter")
	if ! ft_set_global function_profile_enabled 1; then
		ft_die "$FT_EX_FAIL" 'the kernel refuses to start the function profiler'
	fi
	ft_running=1
	ft_say_functions
	ft_banner "$ft_text" "$duration"
	ft_intervals ft_table_profile
	ft_end
}

ft_table_profile() {
	local table

	# Off and on again starts the counters anew.
	ft_write "$FT_TRACEFS/function_profile_enabled" 0
	table=$({
		printf '%s\n--\n' "$ft_functions"
		cat "$FT_TRACEFS"/trace_stat/function*
	} | ft_awk_exec count_profile -v top="$top" -v stamp="$ft_stamp")
	if [ -z "$last" ]; then ft_write "$FT_TRACEFS/function_profile_enabled" 1; fi
	ft_print_table "$table"
}
