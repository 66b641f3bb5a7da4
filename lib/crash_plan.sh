# crash_plan.sh - crashtrace plan: what recording these functions would cost, and how far back it would reach
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: crash_plan. Traces for a second (-d: for longer) into a private instance, which is removed again, and reads its statistics:
# what was overwritten counts too, so nothing need be read.

# What the functions here set, empty until then: the environment may have variables of these names.
crash_bytes= crash_cost= crash_each= crash_ms= crash_rates= crash_took= crash_top= crash_what= crash_where_text=

crash_plan() { # PATTERN...
	crash_look_state
	ft_session_begin function
	ft_trace_off
	ft_filter set_ftrace_filter "$@"
	ft_clock
	ft_tracer function
	crash_what=$(ft_functions_text)
	ft_ms "${duration:-1}"
	ft_now_ms
	crash_from=$ft_now
	ft_trace_on
	ft_note "$ft_tool: counting calls of $crash_what for ${duration:-1} s..."
	ft_sleep "$ft_ms" || :
	ft_trace_off
	ft_now_ms
	crash_took=$((ft_now - crash_from))
	crash_rates=$(crash_plan_rates)
	crash_top=$(crash_plan_top)
	crash_plan_region
	crash_measure_cost
	printf '%s\n' "$crash_rates" | ft_awk crash_plan -v size="$crash_bytes" -v each="$crash_each" -v ms="$crash_took" \
		-v cost="$crash_cost" -v ncpu="$crash_ncpu" -v where="$crash_where_text" -v functions="$crash_what" \
		-v top="$crash_top" || ft_output_failed
}

crash_plan_rates() { # lines "CPU CALLS"
	local file cpu sum key word value rest

	for file in "$ft_dir"/per_cpu/cpu*/stats; do
		cpu=${file%/stats}
		cpu=${cpu##*/cpu}
		sum=
		# shellcheck disable=SC2034 # columns
		while read -r key word value rest; do
			case $key in
			entries: | overrun:) sum="$sum $word" ;;
			commit | dropped) sum="$sum $value" ;;
			esac
		done <"$file"
		printf '%s%s\n' "$cpu" "$sum"
	done
}

crash_plan_top() { # the busiest functions: "NAME SHARE NAME SHARE NAME SHARE"
	# Of a sample: the kernel and awk take their time over each line.
	head -n 5000 "$ft_dir/trace" | ft_awk crash_busiest
}

crash_plan_region() { # -> $crash_bytes, $crash_each (bytes a call takes), $crash_where_text
	local text

	crash_cpus
	crash_each=28
	crash_pick_backend look
	case $crash_backend in
	module)
		crash_each=32
		crash_module_region || crash_size=
		;;
	pstore)
		crash_each=24
		crash_pstore_region
		;;
	*) if crash_ring_find "$crash_region"; then crash_place; else crash_size=; fi ;;
	esac
	text=$(head -n 1 "$FT_PROC/kallsyms" 2>/dev/null)
	text=${text%% *}
	if [ "${#text}" = 8 ]; then crash_each=$((crash_each - 8)); fi
	crash_where_text="the region ($crash_backend)"
	if [ -z "${crash_size:-}" ]; then
		crash_propose_size
		crash_size=${crash_mb}M
		crash_where_text="a region of $crash_mb MiB (none is configured)"
	fi
	crash_bytes=$crash_size
}

crash_measure_cost() {
	# -> $crash_cost: nanoseconds a traced call takes longer, measured on reads of /dev/zero. Their number grows until it
	# takes long enough for a clock of 10 ms.
	local n=20000 bare traced

	crash_cost=
	crash_one_function || return 0
	while :; do
		ft_write "$ft_dir/tracing_on" 0
		ft_write "$ft_dir/current_tracer" nop
		crash_time_reads "$n"
		bare=$crash_ms
		if [ "$bare" -ge 200 ] || [ "$n" -ge 2000000 ]; then break; fi
		n=$((n * 4))
	done
	ft_write "$ft_dir/current_tracer" function
	ft_write "$ft_dir/tracing_on" 1
	crash_time_reads "$n"
	traced=$crash_ms
	ft_write "$ft_dir/tracing_on" 0
	if [ "$traced" -gt "$bare" ]; then crash_cost=$(((traced - bare) * 1000 / (n / 1000))); fi
}

crash_one_function() { # the filter for the measurement: one call a read
	local name

	for name in read_zero read_iter_zero; do
		if ft_write "$ft_dir/set_ftrace_filter" "$name"; then
			ft_filter_count set_ftrace_filter
			if [ "$ft_nfunc" = 1 ]; then return 0; fi
		fi
	done
	return 1
}

crash_time_reads() { # N -> $crash_ms
	local from

	ft_now_ms
	from=$ft_now
	dd if=/dev/zero of=/dev/null bs=1 count="$1" 2>/dev/null
	ft_now_ms
	crash_ms=$((ft_now - from))
}
