# crash_pstore.sh - crashtrace: the kernel's ramoops function trace (CONFIG_PSTORE_FTRACE)
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: crash_pstore_there and crash_pstore_* as crash_ring.sh has them. It goes by the top level's set_ftrace_filter,
# which stays set while armed, and is switched by record_ftrace in debugfs.

# What the functions here set, empty until then: the environment may have variables of these names.
crash_switch=

crash_pstore_switch() { # -> $crash_switch: the file that starts and stops it; 1 when this kernel has none
	# The parameter record_ftrace in /sys/module is for the boot line: it can be read only (fs/pstore/ftrace.c).
	local device dir type rest debugfs=''

	# shellcheck disable=SC2034 # columns
	while read -r device dir type rest; do
		if [ "$type" = debugfs ]; then debugfs=$dir; fi
	done <"$FT_PROC/mounts"
	ft_decode_mount "${debugfs:-/sys/kernel/debug}"
	crash_switch=$ft_decoded/pstore/record_ftrace
	[ -w "$crash_switch" ]
}

crash_pstore_there() { # whether the kernel records function calls through pstore, and a ramoops region is there for it
	crash_pstore_switch && [ -d "${FIELDTRACE_SYS:-/sys}/module/ramoops" ]
}

crash_pstore_why() { # whether it can record; 1 and $crash_reason, why not and what to do, when it cannot
	# Each cause on its own: the switch is there only when a backend has room for calls (fs/pstore/ftrace.c).
	local params="${FIELDTRACE_SYS:-/sys}/module/ramoops/parameters"

	crash_reason=
	if crash_pstore_there; then return 0; fi
	if crash_pstore_switch; then
		crash_reason='no ramoops region: it needs CONFIG_PSTORE_RAM and ramoops.mem_address=, mem_size= and ftrace_size= on the boot line'
	elif ! grep -q -F ' pstore_register_ftrace' "$FT_PROC/kallsyms" 2>/dev/null; then
		crash_reason='CONFIG_PSTORE_FTRACE is not set'
	elif [ ! -d "${crash_switch%/pstore/record_ftrace}" ] || ! grep -q ' debugfs ' "$FT_PROC/mounts"; then
		crash_reason='debugfs is not mounted (mount -t debugfs debugfs /sys/kernel/debug)'
	elif [ ! -d "${params%/parameters}" ]; then
		crash_reason='no ramoops region: it needs CONFIG_PSTORE_RAM and ramoops.mem_address=, mem_size= and ftrace_size= on the boot line'
	elif ft_read_first "$params/ftrace_size" && [ "$ft_value" = 0 ]; then
		crash_reason='ramoops is there with ftrace_size 0: add ramoops.ftrace_size=0x100000 to the boot line (part of mem_size=)'
	else
		crash_reason="no $crash_switch: ramoops has no ftrace_size (device tree: ftrace-size), or another backend of pstore is in use"
	fi
	return 1
}

crash_pstore_region() { # -> $crash_name $crash_where $crash_addr $crash_size
	local dir="${FIELDTRACE_SYS:-/sys}/module/ramoops/parameters"

	crash_name=ramoops
	crash_where=@ramoops
	crash_addr=
	crash_size=
	if ft_read_first "$dir/mem_address"; then crash_addr=$ft_value; fi
	if ft_read_first "$dir/mem_size"; then crash_size=$ft_value; fi
	crash_source=${crash_region:-@ramoops}
}

crash_pstore_key() { # -> $crash_key; 1 when the region holds no function trace
	crash_info_key pstore
}

crash_pstore_ready() {
	if ! crash_pstore_why; then ft_die "$FT_EX_KERNEL" "pstore cannot record here: $crash_reason"; fi
	crash_pstore_region
	crash_helper || :
	if [ -n "$force" ]; then return; fi
	if ft_read_first "$crash_switch" && [ "$ft_value" != 0 ] && [ "$ft_value" != N ]; then
		ft_die "$FT_EX_BUSY" "it is recording already. First: $ft_tool disarm   (-f begins anew)"
	fi
	ft_busy_top
	if [ -n "$ft_busy" ]; then ft_die "$FT_EX_BUSY" "somebody else is tracing at the top level: $ft_busy (-f takes it over)"; fi
	if [ -n "$crash_tracemem" ] && crash_pstore_key 2>/dev/null && ! crash_was_dumped "$crash_key"; then
		ft_die "$FT_EX_BUSY" "ramoops holds the trace of an earlier boot, which arming overwrites." \
			"First: $ft_tool dump   (or -f to drop it)"
	fi
}

crash_pstore_setup() { # PATTERN...
	crash_undo=crash_pstore_stop
	ft_dir=$FT_TRACEFS
	# Stays when this command ends, so it is written as an instance's would be: without a journal.
	ft_private=1
	crash_filter "$@"
	ft_private=
	crash_clock=
}

crash_pstore_start() {
	if ! ft_write "$crash_switch" 1; then
		ft_why_refused "$crash_switch"
		ft_die "$FT_EX_FAIL" "cannot switch on $crash_switch"
	fi
}

crash_pstore_stop() {
	crash_pstore_switch || :
	ft_write "$crash_switch" 0
	ft_write "$FT_TRACEFS/set_ftrace_filter" ''
}

crash_pstore_look() { # status
	if ! crash_pstore_why; then
		crash_say region "none: $crash_reason"
		return
	fi
	crash_pstore_region
	crash_say region "ramoops${crash_addr:+ at $crash_addr}${crash_size:+, $(crash_size_text "$crash_size")}, pstore"
	ft_read_first "$crash_switch"
	case $ft_value in
	1 | Y)
		ft_dir=$FT_TRACEFS
		ft_filter_count set_ftrace_filter
		crash_say recording "yes: $(ft_functions_text)"
		;;
	*) crash_say recording no ;;
	esac
	crash_trace_line pstore
}

crash_pstore_dumpable() {
	crash_pstore_region
	crash_need_helper "reading ramoops (the kernel's own text, with names of this boot, is /sys/fs/pstore/ftrace-*)"
	crash_info_dumpable pstore
}

crash_pstore_writer() { # -> $crash_saved: the newest saved boot of this backend that is not this one, while none is armed
	local dir found=''

	if crash_is_armed; then
		crash_boot_folder "$crash_boot"
		return
	fi
	for dir in "$crash_dir"/boots/[0-9]*.*; do
		if crash_get "$dir/info" backend && [ "$crash_value" = pstore ]; then found=$dir; fi
	done
	crash_saved=$found
	[ -n "$crash_saved" ]
}

crash_pstore_copy_text() {
	crash_need_helper 'reading ramoops'
}
