# crash_ring.sh - crashtrace: the kernel's persistent ring buffer (6.12 up)
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: crash_ring_find, crash_ring_ready, crash_ring_key, crash_ring_setup, crash_ring_start, crash_ring_stop,
# crash_ring_status. Touches the boot instance only. It is never removed: it cannot be made again before a reboot.
#
# What the kernel does, and why the order here is what it is (kernel/trace/trace.c, Documentation/trace/debugging.rst):
# - setting a tracer, nop too, wipes what is there, of this boot or of an earlier one: nothing is written needlessly, and
#   disarm takes a snapshot first;
# - a 1 into tracing_on while the function tracer is set wipes what there is: it is written once;
# - with a clock other than "local" the next boot wipes the trace of the CPU that boots (6.16 up).

# What the functions here set, empty until then: the environment may have variables of these names.
crash_entries= crash_print=

crash_ring_find() { # [NAME]: whether this boot has such an instance -> $crash_name $crash_where $ft_dir
	crash_find_instance "${1:-}" && [ -d "$FT_TRACEFS/instances/$crash_name" ] &&
		[ -e "$FT_TRACEFS/instances/$crash_name/last_boot_info" ]
}

crash_ring_need() { # [NAME]: the same; ends with 4 or 7 and the reason when there is none
	if crash_ring_find "${1:-}"; then
		ft_dir=$FT_TRACEFS/instances/$crash_name
		return
	fi
	if [ -n "${1:-}" ] && [ -z "$crash_name" ]; then
		ft_die "$FT_EX_NOFUNC" "the boot line has no trace_instance=$1 with a region ($ft_tool check shows what to add)"
	fi
	if [ -z "$crash_name" ]; then
		ft_die "$FT_EX_KERNEL" "no region is configured: the boot line has no trace_instance=NAME@ADDRESS:SIZE." \
			"'$ft_tool check' shows the words to add; kernels before 6.12 need -b module"
	fi
	ft_die "$FT_EX_KERNEL" "the kernel did not make instance '$crash_name' at $crash_where: $(crash_ring_why_missing)"
}

crash_ring_why_missing() { # why a region of the boot line is no instance with a previous boot, in words
	local line

	crash_page
	if [ "$(crash_where_numbers | ft_awk crash_bytes -v page="$crash_page")" ]; then
		echo "address and size have to be multiples of a page, $crash_page bytes here, and they are not"
		return
	fi
	line=$(crash_log 'Failed to map boot instance|Failed to.*(boot|instance)|Tracing: .*[Ff]ail' | tail -n 1)
	if [ -n "$line" ]; then
		printf 'its log says "%s"\n' "${line##*] }"
	elif [ -d "$FT_TRACEFS/instances/$crash_name" ]; then
		echo 'it made a plain one (persistent ones came with 6.12)'
	else
		echo 'persistent ones came with 6.12'
	fi
}

crash_where_numbers() { # the numbers in $crash_where, or for a label in its reserve_mem=SIZE:ALIGN:LABEL, a line each
	local word

	case $crash_where in
	[0-9]*:*) printf '%s\n' "${crash_where%%:*}" "${crash_where#*:}" ;;
	*)
		crash_cmdline_words reserve_mem | while IFS= read -r word; do
			if [ "${word##*:}" = "$crash_where" ]; then
				printf '%s\n' "${word%%:*}"
				word=${word%:*}
				printf '%s\n' "${word#*:}"
			fi
		done
		;;
	esac
}

crash_ring_stats() { # -> $crash_entries: 0 or 1, whether the buffer holds anything; $crash_print: what tells this trace from others
	# Two traces that agree, CPU by CPU, in number of records, bytes and time of the oldest are one and the same.
	local file key word value rest

	crash_entries=0
	crash_print=
	for file in "$ft_dir"/per_cpu/cpu*/stats; do
		if [ ! -r "$file" ]; then continue; fi
		# shellcheck disable=SC2034 # columns
		while read -r key word value rest; do
			case $key in
			entries:)
				if [ "$word" != 0 ]; then crash_entries=1; fi
				crash_print="$crash_print,$word"
				;;
			bytes:) crash_print="$crash_print/$word" ;;
			oldest) crash_print="$crash_print/${rest:-}" ;;
			esac
		done <"$file"
	done
	crash_print=${crash_print#,}
}

crash_ring_previous() { # whether what the buffer holds is of an earlier boot
	local line

	crash_ring_stats
	if [ "$crash_entries" = 0 ]; then return 1; fi
	# 6.15 up: "ADDRESS [kernel]", or "# Current" once this boot traces. Before: "text delta: N", 0 in both cases when
	# the kernel did not move; then our own note of who armed tells.
	line=$(ft_cat_line "$ft_dir/last_boot_info")
	case $line in
	'# Current'*) return 1 ;;
	*'[kernel]'*) return 0 ;;
	'text delta:'*[1-9]*) return 0 ;;
	esac
	! { crash_get "$crash_dir/armed" boot && [ "$crash_value" = "$crash_boot" ]; }
}

crash_ring_key() { # -> $crash_key: names the trace in the buffer; 1 when it is empty
	crash_ring_stats
	crash_key="ring:$crash_name:$crash_print"
	[ "$crash_entries" = 1 ]
}

crash_ring_ready() {
	# Everything that can be refused without having changed a thing. Ends with 4 or 5.
	crash_ring_need "$crash_region"
	crash_place
	if ! ft_tracer_listed "$ft_dir" "$tracer"; then
		ft_die "$FT_EX_KERNEL" "this kernel has no '$tracer' tracer in instances: it needs $(ft_tracer_config "$tracer")"
	fi
	if [ -n "$force" ]; then return; fi
	if crash_ring_previous && ! crash_was_dumped "ring:$crash_name:$crash_print"; then
		ft_die "$FT_EX_BUSY" "'$crash_name' holds the trace of an earlier boot, which arming wipes." \
			"First: $ft_tool dump   (or -f to drop it)"
	fi
	ft_read_first "$ft_dir/current_tracer"
	if [ "$ft_value" != nop ]; then
		ft_die "$FT_EX_BUSY" "'$crash_name' is in use: tracer '$ft_value' is active. First: $ft_tool disarm   (-f takes it over)"
	fi
	ft_read_first "$ft_dir/set_event"
	if [ -n "$ft_value" ]; then
		ft_die "$FT_EX_BUSY" "'$crash_name' is in use: event $ft_value is enabled (-f takes it over)"
	fi
	ft_read_first "$ft_dir/set_ftrace_filter"
	case $ft_value in
	'' | '#### '*' ####') ;;
	*) ft_die "$FT_EX_BUSY" "'$crash_name' is in use: set_ftrace_filter is set ('$ft_value'; -f takes it over)" ;;
	esac
}

crash_ring_setup() { # PATTERN...
	# Filter and clock, with tracing off. From here to the end of crash_ring_start the EXIT trap undoes.
	ft_read_first "$ft_dir/tracing_on"
	crash_ring_was=$ft_value
	crash_undo=crash_ring_undo
	crash_ring_quiet
	# A plain write is enough for ft_set: this session's folder is the instance.
	ft_private=1
	ft_plain_options
	crash_filter "$@"
	ft_private=
	ft_read_first "$ft_dir/trace_clock"
	case $ft_value in
	'[local]'* | *' [local]'*) ;;
	*)
		ft_warn "trace_clock of '$crash_name' is local now; with another the next boot loses a CPU"
		ft_write "$ft_dir/trace_clock" local
		;;
	esac
	crash_clock=local
}

crash_filter() { # PATTERN...: the filter, which waits for modules that are not loaded when $wait says so
	if [ -n "$wait" ] && crash_absent_modules "$@"; then
		crash_wait_filter "$@"
	else
		ft_filter set_ftrace_filter "$@"
	fi
}

crash_ring_quiet() { # nothing records any more; what is at rest is not touched
	ft_read_first "$ft_dir/tracing_on"
	if [ "$ft_value" != 0 ]; then ft_write "$ft_dir/tracing_on" 0; fi
	ft_read_first "$ft_dir/current_tracer"
	if [ "$ft_value" != nop ]; then ft_write "$ft_dir/current_tracer" nop; fi
	ft_read_first "$ft_dir/set_event"
	if [ -n "$ft_value" ]; then ft_write "$ft_dir/events/enable" 0; fi
}

crash_ring_undo() {
	crash_ring_quiet
	ft_write "$ft_dir/set_ftrace_filter" ''
	if [ "$crash_ring_was" = 1 ]; then ft_write "$ft_dir/tracing_on" 1; fi
}

crash_ring_start() {
	# The tracer, then the one and only 1. Ends with 1 when refused; reads back, since a filter that got lost
	# between would record everything.
	if ! ft_write "$ft_dir/current_tracer" "$tracer"; then
		ft_why_refused "$ft_dir/current_tracer"
		ft_die "$FT_EX_FAIL" "the kernel refuses tracer '$tracer' in '$crash_name'"
	fi
	if ! ft_write "$ft_dir/tracing_on" 1; then ft_die "$FT_EX_FAIL" "cannot start recording in '$crash_name'"; fi
}

crash_ring_stop() { # disarm: keep what was recorded in a snapshot, and leave the instance as a boot leaves it
	ft_dir=$FT_TRACEFS/instances/$crash_name
	if [ ! -d "$ft_dir" ]; then return; fi
	ft_write "$ft_dir/tracing_on" 0
	crash_source=@$crash_name
	if [ -z "$force" ] && crash_ring_key && ! crash_was_dumped "$crash_key"; then
		crash_helper || :
		crash_snapshot
		crash_mark_dumped "$crash_key" "$crash_image"
	fi
	crash_ring_quiet
	ft_write "$ft_dir/set_ftrace_filter" ''
}

crash_ring_status() { # lines about the region, on stdout
	local on tracer

	ft_dir=$FT_TRACEFS/instances/$crash_name
	crash_place
	ft_read_first "$ft_dir/tracing_on"
	on=$ft_value
	ft_read_first "$ft_dir/current_tracer"
	tracer=$ft_value
	ft_filter_count set_ftrace_filter
	crash_say region "$crash_name at ${crash_addr:-$crash_where}${crash_size:+, $(crash_size_text "$crash_size")}, ring"
	if [ "$on" = 1 ] && [ "$tracer" != nop ] && [ "$ft_nfunc" = 0 ] && crash_is_armed; then
		crash_say recording "NOTHING: tracer $tracer, 0 functions: those that were armed are gone (their module was unloaded)"
		ft_warn "nothing is recorded: the filter holds no function"
	elif [ "$on" = 1 ] && [ "$tracer" != nop ]; then
		crash_say recording "yes: tracer $tracer, $(ft_functions_text)"
	else
		crash_say recording "no: tracing_on $on, tracer $tracer"
	fi
	if crash_ring_previous; then
		if crash_was_dumped "ring:$crash_name:$crash_print"; then
			crash_say trace "of an earlier boot, dumped ($crash_image)"
		else
			crash_say trace "of an earlier boot, not dumped yet: $ft_tool dump"
		fi
	elif [ "$crash_entries" = 1 ]; then
		crash_say trace 'of this boot'
	else
		crash_say trace none
	fi
}

crash_ring_look() { # status
	if crash_ring_find "$crash_region"; then
		crash_ring_status
	elif [ -n "$crash_name" ]; then
		crash_say region "$crash_name at $crash_where is not there: $(crash_ring_why_missing)"
	else
		crash_say region "none: the boot line has no trace_instance=NAME@ADDRESS:SIZE ($ft_tool check)"
	fi
}

crash_ring_dumpable() { # -> $crash_key, $crash_source; ends with 10 and the reason when there is nothing
	ft_need_tracefs
	if ! crash_ring_find "$crash_region"; then
		crash_no_data
	fi
	ft_dir=$FT_TRACEFS/instances/$crash_name
	crash_source=@$crash_name
	if ! crash_ring_key; then crash_no_data; fi
}

crash_ring_writer() { # -> $crash_saved: the saved boot that wrote the buffer; 1 when it is unknown
	local line

	if ! crash_ring_previous; then
		crash_boot_folder "$crash_boot"
		return
	fi
	line=$(ft_cat_line "$ft_dir/last_boot_info")
	case $line in
	*'[kernel]'*)
		crash_boot_of text "$(crash_pad "${line%%[ 	]*}")"
		;;
	'text delta:'*)
		# The address is in the region as well, where the helper finds it without reading all of kallsyms.
		if [ -n "$crash_tracemem" ] && crash_match_info && [ -n "$crash_saved" ]; then return; fi
		# now - then; the kernel prints a signed number
		line=${line#*:}
		crash_addresses "$FT_PROC/kallsyms"
		crash_boot_of anchor "$(printf '%s\n' "$crash_anchor_at" | ft_awk crash_minus -v delta="${line##*[ 	]}")"
		;;
	*) return 1 ;;
	esac
}

crash_pad() { # HEX: as wide as kallsyms has it (its symbols are saved with leading zeros)
	local text="$1" like

	like=$(head -n 1 "$FT_PROC/kallsyms")
	like=${like%% *}
	while [ "${#text}" -lt "${#like}" ]; do text=0$text; done
	printf '%s\n' "$text"
}

crash_ring_copy_text() { # without the helper, or where it cannot read memory: the kernel's own text -> $crash_image
	ft_read_first "$ft_dir/tracing_on"
	if [ "$ft_value" = 1 ]; then
		ft_die "$FT_EX_BUSY" "without the helper a recording cannot be read while it goes on. First: $ft_tool disarm"
	fi
	# With addresses: before 6.15 the kernel looks those of modules up where another may be by now, and prints its name.
	ft_read_first "$ft_dir/options/sym-addr"
	if [ "$ft_value" = 0 ]; then ft_write "$ft_dir/options/sym-addr" 1; fi
	{
		grep '' "$ft_dir/last_boot_info" | ft_awk crash_comment
		cat "$ft_dir/trace"
	} | crash_replace "$crash_base.txt" || exit
	if [ "$ft_value" = 0 ]; then ft_write "$ft_dir/options/sym-addr" 0; fi
	crash_image=$crash_base.txt
}
