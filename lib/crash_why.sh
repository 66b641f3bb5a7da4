# crash_why.sh - crashtrace: why there is no trace
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: crash_no_data. Compares what was saved when armed with this boot, and reads the kernel's log.

# What the functions here set, empty until then: the environment may have variables of these names.
crash_change=

crash_no_data() {
	# Ends with 10: what is known first, what can only be guessed last.
	local dir saved='' line

	crash_look_state
	for dir in "$crash_dir"/boots/[0-9]*.*; do
		case ${dir##*/} in
		*".$crash_boot") ;;
		*) if [ -d "$dir" ]; then saved=$dir; fi ;;
		esac
	done
	if [ "$crash_backend" = ring ]; then
		crash_why_no_region
		crash_why_refused "$saved"
	fi
	if [ -z "$saved" ]; then
		if ! crash_is_armed; then crash_why_snapshot; fi
		if crash_is_armed; then crash_why 'armed in this boot, but none of the chosen functions has been called'; fi
		crash_why "nothing was armed before: no saved boot in $crash_dir (-S DIR names another folder)"
	fi
	crash_why_snapshot
	crash_why_changed "$saved"
	if crash_is_armed; then crash_why 'armed again in this boot, which wiped what there was; none of the functions was called since'; fi
	crash_get "$saved/info" date || :
	line="the memory was empty after the boot that was armed at ${crash_value:-an unknown time}: power was off, or"
	line="$line firmware or boot loader cleared or used it"
	if crash_overwrite_request; then
		line="$line (EFI's memory-overwrite request is set here, which asks for that: $ft_tool check)"
	fi
	if [ "$crash_backend" = ring ] && [ -n "$(crash_kernel_said)" ]; then
		line="$line; or what it held was damaged at its beginning, and the kernel has wiped it (its log: \"mismatch of magic\")"
	fi
	crash_why "$line; or none of the chosen functions was called before the reset"
}

crash_why() { # TEXT...
	ft_die "$FT_EX_NODATA" "no trace: $*"
}

crash_why_snapshot() { # disarm and earlier dumps of this boot have left one
	local note found=''

	for note in "$crash_dir"/*.note; do
		if crash_get "$note" taken-in && [ "$crash_value" = "$crash_boot" ]; then found=$note; fi
	done
	if [ -z "$found" ]; then return; fi
	for note in "${found%.note}.img" "${found%.note}.txt"; do
		if [ -f "$note" ]; then crash_why "the region is empty, but this boot has taken a snapshot: $ft_tool dump $note"; fi
	done
}

crash_why_no_region() {
	if [ -z "$crash_name" ] && [ -z "$backend" ] && [ ! -f "$crash_dir/settings" ]; then
		crash_why "$crash_dir does not say what was armed: name the folder that was armed with (-S DIR); the region of a" \
			"recorder module is read with '$ft_tool dump -b module -r ADDRESS:SIZE', and for the kernel's ring the boot line has no trace_instance="
	fi
	if [ -z "$crash_name" ]; then
		crash_why "the boot line has no trace_instance=NAME@ADDRESS:SIZE ($ft_tool check shows what to add)"
	fi
	if [ ! -d "$FT_TRACEFS/instances/$crash_name" ]; then
		crash_why "the kernel did not make instance '$crash_name' at $crash_where: $(crash_ring_why_missing)"
	fi
}

crash_why_refused() { # SAVED_BOOT
	# It looked and refused.
	local line

	# No magic means that nothing was there at all.
	line=$(crash_kernel_said | grep -v 'mismatch of magic' | tail -n 1)
	if [ -z "$line" ]; then return; fi
	if [ -n "$1" ]; then crash_changed "$1"; fi
	line=${line#kernel-said * }
	crash_why "the kernel found an old buffer there and refused it (\"$line\")${crash_change:+: $crash_change}"
}

crash_changed() { # SAVED_BOOT -> $crash_change: what is different now that makes a kernel refuse or misplace the region
	crash_change=
	if crash_get "$1/info" release && [ "$crash_value" != "$(uname -r)" ]; then
		crash_change="another kernel wrote it ($crash_value)"
	elif crash_get "$1/info" cpus && [ "$crash_value" != "$(ft_cat_line /sys/devices/system/cpu/possible)" ]; then
		crash_change="possible CPUs were $crash_value then"
	elif crash_get "$1/info" address && [ "${crash_addr:-}" ] && [ "$crash_value" != "$crash_addr" ]; then
		crash_change="the region was at $crash_value then and is at $crash_addr now (reserve_mem= can move; memmap= does not)"
	elif crash_get "$1/info" where && [ "$crash_value" != "$crash_where" ]; then
		crash_change="the boot line had $crash_value then and has $crash_where now"
	elif crash_get "$1/info" clock && [ "$crash_value" != local ] && [ -n "$crash_value" ]; then
		crash_change="trace_clock was $crash_value, which makes the next boot wipe the buffer"
	fi
	[ -n "$crash_change" ]
}

crash_why_changed() { # SAVED_BOOT
	if [ "$crash_backend" = ring ]; then crash_place; fi
	if crash_changed "$1"; then crash_why "$crash_change"; fi
}

crash_overwrite_request() {
	# Whether EFI's MemoryOverwriteRequestControl asks the firmware to clear RAM at the next reset: bit 0 of the byte
	# behind the four of attributes (TCG Platform Reset Attack Mitigation).
	local file="${FIELDTRACE_SYS:-/sys}/firmware/efi/efivars/MemoryOverwriteRequestControl-e20939be-32d4-41be-a150-897f85d49829"

	[ -r "$file" ] || return 1
	case $(dd if="$file" bs=1 skip=4 count=1 2>/dev/null) in
	'') return 1 ;; # a zero byte, which no shell variable can hold
	esac
}
