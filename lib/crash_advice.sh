# crash_advice.sh - crashtrace check: the line to paste, with a place for the region proposed
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: crash_advice. Reads /proc/iomem and looks which boot loader is here.

# What the functions here set, empty until then: the environment may have variables of these names.
crash_at= crash_mb=

crash_advice() {
	local words crash_free=''

	if [ -n "$crash_configured" ]; then
		crash_line ''
		crash_other_kernels
		crash_line "A region is configured; nothing to add. Next: $ft_tool arm PATTERN"
		return
	fi
	if [ "$crash_best" = module ] && crash_known_region; then
		crash_line ''
		crash_other_kernels
		crash_line "A region is reserved: $crash_where. Next: $ft_tool check -t -b module -r $crash_where, and once it survives"
		crash_line "    $ft_tool arm -b module -r $crash_where${crash_ko:+ -k $crash_ko} PATTERN"
		return
	fi
	crash_propose_size
	crash_propose_place
	case $crash_best in
	ring) words=$(crash_words_ring) ;;
	module)
		words=$(crash_words_module)
		case $words in
		mem=*)
			crash_free=$(crash_ram_below)
			crash_free=${crash_free#* }:${crash_mb}M
			;;
		esac
		;;
	pstore) words=$(crash_words_pstore) ;;
	*)
		crash_line ''
		crash_line 'Nothing here can record; see the reasons above.'
		return "$FT_EX_KERNEL"
		;;
	esac
	if [ -z "$words" ]; then
		crash_line ''
		crash_line "RAM has holes here, or $FT_PROC/iomem does not tell: no words for the boot line are safe to propose. Keep"
		crash_line "$crash_mb MiB from the kernel (below); then: $ft_tool arm -b module -r ADDRESS:SIZE PATTERN"
		crash_hints_device_tree ''
		return
	fi
	crash_hints "$words"
	crash_line ''
	crash_other_kernels
	if [ -n "$crash_free" ]; then
		crash_line "After that boot: $ft_tool check -t -b module -r $crash_free, and $ft_tool arm -b module -r $crash_free PATTERN"
	fi
	crash_line "Add to the boot line ($crash_mb MiB holds about $(crash_calls) calls, on $crash_ncpu CPUs):"
	crash_line "    $words"
}

crash_other_kernels() { # one boot of another kernel is enough to lose the trace
	crash_line 'One boot of any other kernel here (rescue slot, A/B update) uses or wipes the region and loses the trace. Its boot line'
	crash_line 'has to keep the same memory free (memmap=, mem=, device tree), and must not have this trace_instance= on it.'
}

crash_known_region() { # -> $crash_where: a region for the recorder that is kept from the kernel already; 1 when none is known
	# -r, what was armed or tested before, memmap= of the boot line; and none of it is System RAM now.
	local at size

	if ! crash_module_region; then
		crash_where=
		if crash_get "$crash_dir/pending" where || crash_get "$crash_dir/tested" where; then crash_where=$crash_value; fi
		case $crash_where in
		[0-9]*:[0-9]*) ;;
		*) return 1 ;;
		esac
	fi
	at=$(crash_bytes_of "${crash_where%%:*}")
	size=$(crash_bytes_of "${crash_where#*:}")
	if [ -z "$at" ] || [ -z "$size" ]; then return 1; fi
	[ "$(ft_awk crash_propose -v want=free -v at="$at" -v size="$size" "$FT_PROC/iomem" 2>/dev/null)" = free ]
}

crash_line() { # TEXT
	printf '%s\n' "$1" || exit "$FT_EX_OUTPUT"
}

crash_propose_size() { # -> $crash_mb: 4, more with many CPUs, less on small machines
	local key kb rest

	crash_mb=4
	while [ "$crash_mb" -lt "$crash_ncpu" ] && [ "$crash_mb" -lt 64 ]; do crash_mb=$((crash_mb * 2)); done
	# shellcheck disable=SC2034
	while read -r key kb rest; do
		case $key$kb in
		MemTotal:*[!0-9]*) break ;;
		esac
		if [ "$key" = MemTotal: ]; then
			while [ "$crash_mb" -gt 1 ] && [ "$((kb / 1024))" -lt $((crash_mb * 16)) ]; do crash_mb=$((crash_mb / 2)); done
			break
		fi
	done <"$FT_PROC/meminfo"
}

crash_calls() {
	# A call takes 28 bytes in the ring buffer (20 on 32-bit machines), 32 (24) with the module, 24 (16) with pstore.
	local each

	case $crash_best in
	ring) each=28 ;;
	module) each=32 ;;
	*) each=24 ;;
	esac
	case $crash_text_now in
	????????) each=$((each - 8)) ;;
	esac
	# shellcheck disable=SC2016 # awk's own
	printf '%s\n' "$((crash_mb * 1048576 / each / 1000 * 1000))" | ft_awk crash_commas
}

crash_propose_place() { # -> $crash_at: hex address for the region, empty where /proc/iomem does not tell
	crash_at=$(ft_awk crash_propose -v size="$((crash_mb * 1048576))" "$FT_PROC/iomem" 2>/dev/null) || crash_at=
}

crash_is_x86() {
	case $(uname -m) in
	x86_64 | i?86) return 0 ;;
	esac
	return 1
}

crash_words_ring() {
	# memmap= stays where it is from boot to boot and can be read and put back through /dev/mem; reserve_mem= is found a
	# place by each kernel anew.
	if crash_is_x86 && [ -n "$crash_at" ]; then
		printf 'memmap=%sM$%s trace_instance=crash^traceoff@%s:%sM\n' "$crash_mb" "$crash_at" "$crash_at" "$crash_mb"
	else
		crash_page
		printf 'reserve_mem=%sM:%s:trace trace_instance=crash^traceoff@trace\n' "$crash_mb" "$crash_page"
	fi
}

crash_words_module() {
	# mem= is the highest address on x86, elsewhere an amount, counted from where RAM begins: only RAM in one piece has an end
	# that is known then. Nothing is printed where no word is safe.
	local mb

	if crash_is_x86; then
		if [ -n "$crash_at" ]; then printf 'memmap=%sM$%s\n' "$crash_mb" "$crash_at"; fi
		return
	fi
	mb=$(crash_ram_below)
	if [ -n "$mb" ]; then printf 'mem=%sM\n' "${mb%% *}"; fi
}

crash_words_pstore() {
	# A quarter for the kernel log's last words.
	local at="${crash_at:-ADDRESS}"

	printf 'memmap=%sM$%s ramoops.mem_address=%s ramoops.mem_size=0x%x ramoops.ftrace_size=0x%x ramoops.record_size=0x20000\n' \
		"$crash_mb" "$at" "$at" $((crash_mb * 1048576)) $((crash_mb * 1048576 / 2))
}

crash_ram_below() { # "MIB ADDRESS": RAM less the region, what mem= leaves to the kernel, and where the region begins then
	# Nothing where RAM has holes.
	ft_awk crash_propose -v size="$((crash_mb * 1048576))" -v want=limit "$FT_PROC/iomem" 2>/dev/null
}

### how to add it here

crash_hints() { # WORDS: by which boot loader it goes; GRUB and U-Boot read `$` as the beginning of a name
	local words="$1" some=''

	crash_line ''
	if [ -e /etc/default/grub ] || [ -d /boot/grub ] || [ -d /boot/grub2 ]; then
		some=1
		crash_line 'GRUB        in /etc/default/grub, then update-grub (or grub2-mkconfig); at its own prompt one \ before $'
		crash_line "            GRUB_CMDLINE_LINUX=\"\$GRUB_CMDLINE_LINUX $(crash_escaped "$words" 3)\""
	fi
	if [ -d /boot/loader/entries ] || [ -d /efi/loader/entries ]; then
		some=1
		crash_line 'loader      on the "options" line of /boot/loader/entries/*.conf, as it stands'
	fi
	if [ -e /boot/extlinux/extlinux.conf ] || [ -e /extlinux/extlinux.conf ]; then
		some=1
		crash_line 'extlinux    on the APPEND line of extlinux.conf, as it stands'
	fi
	if [ -d "$FT_PROC/device-tree" ]; then
		some=1
		crash_hints_device_tree "$words"
	fi
	if [ -z "$some" ]; then
		crash_line 'no boot loader was recognized here. GRUB wants \$ for $ (in /etc/default/grub \\\$); extlinux and EFI stubs take'
		crash_line 'the line as it stands'
		crash_line "U-Boot      setenv bootargs \"\$bootargs $(crash_escaped "$words" 1)\"; saveenv"
	fi
}

crash_hints_device_tree() { # WORDS
	if [ -n "$1" ]; then crash_line "U-Boot      setenv bootargs \"\$bootargs $(crash_escaped "$1" 1)\"; saveenv"; fi
	crash_line 'device tree or, instead of reserving on the boot line, a node (ADDRESS in RAM, clear of kernel, initrd and U-Boot):'
	crash_line '            reserved-memory { #address-cells = <1>; #size-cells = <1>; ranges;'
	crash_line '                crash@ADDRESS { reg = <0xADDRESS 0xSIZE>; no-map; }; };'
	crash_line '            (no-map for the module only; cells as in the root node: where they are <2>, reg = <0 0xADDRESS 0 0xSIZE>)'
	if [ "$crash_best" = ring ]; then crash_line '            then trace_instance=crash^traceoff@ADDRESS:SIZE'; fi
}

crash_escaped() { # TEXT N: N backslashes before each $
	local rest="$1" out='' before='' n="$2"

	while [ "$n" -gt 0 ]; do
		n=$((n - 1))
		before="$before\\"
	done
	while :; do
		case $rest in
		*\$*)
			out=$out${rest%%\$*}$before\$
			rest=${rest#*\$}
			;;
		*) break ;;
		esac
	done
	printf '%s\n' "$out$rest"
}
