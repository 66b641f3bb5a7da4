# crash_check.sh - crashtrace check: what this machine offers, what would lose the trace, the words for its boot line
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: crash_check. Only looks. Everything is probed; what cannot be known is called unknown.

crash_sys=${FIELDTRACE_SYS:-/sys}

# What the functions here set, empty until then: the environment may have variables of these names.
crash_best= crash_configured= crash_module_text= crash_ncpu= crash_pstore_text= crash_ring_text= crash_text_now=

crash_check() {
	crash_state_dir
	crash_boot_id
	ft_need_tracefs
	ft_lockdown
	crash_helper || :
	crash_probe
	crash_say kernel "$(crash_kernel_text)"
	crash_say ring "$crash_ring_text"
	crash_say module "$crash_module_text"
	crash_say pstore "$crash_pstore_text"
	crash_say /dev/mem "$(crash_mem_text)"
	crash_say helper "$(crash_helper_text)"
	crash_say state "$(crash_state_where)"
	crash_say survival "$(crash_survival_text)"
	crash_beware
	crash_check_gone
	crash_advice
}

crash_check_gone() { # while this boot records: what of it is not traced
	if ! crash_is_armed; then return; fi
	crash_get "$crash_dir/armed" backend
	crash_backend=$crash_value
	crash_get "$crash_dir/armed" name
	crash_name=$crash_value
	crash_status_gone
}

crash_config() { # OPTION -> $crash_value: y, m, n, or empty when the kernel's configuration is not to be had
	local line=''

	crash_value=
	if [ -r "$FT_PROC/config.gz" ]; then
		line=$(gzip -dc "$FT_PROC/config.gz" 2>/dev/null | grep -E "^(# )?$1[ =]")
	elif [ -r "/boot/config-$(uname -r)" ]; then
		line=$(grep -E "^(# )?$1[ =]" "/boot/config-$(uname -r)")
	else
		return 1
	fi
	case $line in
	"$1="*) crash_value=${line#*=} ;;
	*) crash_value=n ;;
	esac
}

crash_probe() {
	# One look at the symbols for what no file tells. Sets $crash_text_now, the three texts, $crash_best.
	local lines ring=''

	lines=$(grep -F -e ' _text' -e ' _stext' -e 'ring_buffer_alloc_range' "$FT_PROC/kallsyms" 2>/dev/null)
	crash_text_of "$lines"
	crash_text_now=$crash_value
	case $lines in
	*ring_buffer_alloc_range*) ring=1 ;;
	esac
	crash_best=
	crash_cpus
	crash_probe_ring "$ring"
	crash_probe_module
	crash_probe_pstore
}

crash_probe_ring() { # SYMBOL_SEEN
	crash_configured=
	if ! ft_tracer_listed "$FT_TRACEFS" function; then
		crash_ring_text='no: needs CONFIG_FUNCTION_TRACER'
	elif crash_ring_find "$crash_region"; then
		crash_place
		crash_configured=1
		crash_best=ring
		crash_ring_text="yes: '$crash_name' at ${crash_addr:-$crash_where}${crash_size:+, $(crash_size_text "$crash_size")}"
	elif [ -z "$1" ]; then
		crash_ring_text='no: the persistent ring buffer came with 6.12'
	else
		crash_best=ring
		crash_ring_text='yes: persistent ring buffer; no region configured'
		if crash_find_instance "$crash_region"; then
			crash_ring_text="yes, but '$crash_name' at $crash_where was not made: $(crash_ring_why_missing)"
		fi
	fi
}

crash_probe_module() {
	if ! ft_tracer_listed "$FT_TRACEFS" function || [ ! -e "$FT_TRACEFS/available_filter_functions" ]; then
		crash_module_text='no: needs CONFIG_FUNCTION_TRACER and CONFIG_DYNAMIC_FTRACE'
		return
	elif [ ! -e "$FT_PROC/modules" ]; then
		crash_module_text='no: needs CONFIG_MODULES'
		return
	elif ft_read_first "$crash_sys/module/module/parameters/sig_enforce" && [ "$ft_value" = Y ]; then
		crash_module_text='only if signed with a key that this kernel knows (sig_enforce)'
		return
	fi
	crash_best=${crash_best:-module}
	crash_module_file
	if [ -n "$crash_ko" ]; then
		crash_module_text="yes: $crash_ko"
	elif [ -d "/lib/modules/$(uname -r)/build" ]; then
		crash_module_text="yes: make -C helper/recorder KDIR=/lib/modules/$(uname -r)/build"
	else
		crash_module_text="yes: headers not installed here, build elsewhere with 'make -C helper/recorder'"
	fi
}

crash_probe_pstore() {
	if crash_pstore_why; then
		crash_best=${crash_best:-pstore}
		crash_pstore_text='yes: ramoops is there'
	else
		case $crash_reason in
		CONFIG*) crash_pstore_text="no: $crash_reason" ;;
		*) crash_pstore_text="yes, but $crash_reason" ;;
		esac
	fi
}

crash_cpus() { # -> $crash_ncpu: possible CPUs
	local list part first

	crash_ncpu=0
	list=$(ft_cat_line "$crash_sys/devices/system/cpu/possible")
	while [ -n "$list" ]; do
		part=${list%%,*}
		case $list in
		*,*) list=${list#*,} ;;
		*) list= ;;
		esac
		first=${part%-*}
		case $first${part#*-} in
		*[!0-9]* | '' | ?????????*) continue ;; # no list of CPUs, and nothing to reckon with
		esac
		crash_ncpu=$((crash_ncpu + ${part#*-} - first + 1))
	done
	if [ "$crash_ncpu" = 0 ]; then crash_ncpu=1; fi
}

crash_kernel_text() {
	local kaslr=unknown

	if crash_config CONFIG_RANDOMIZE_BASE; then
		if [ "$crash_value" = y ]; then kaslr=on; else kaslr=off; fi
	fi
	case " $(ft_cat_line "$FT_PROC/cmdline") " in
	*' nokaslr '*) kaslr=off ;;
	esac
	case $kaslr$crash_text_now in
	# Where x86-64 is linked to, and where it may not be any more.
	unknownffffffff81000000) kaslr=off ;;
	unknownffffffff*) if [ "$(uname -m)" = x86_64 ]; then kaslr=on; fi ;;
	esac
	echo "$(uname -r), $(uname -m), $crash_ncpu possible CPUs, KASLR $kaslr, lockdown ${ft_lockdown:-unknown}"
}

crash_mem_text() {
	if [ ! -e /dev/mem ]; then
		echo 'no: needs CONFIG_DEVMEM; dump goes through tracefs or /proc/kcore'
		return
	fi
	case $(uname -m) in
	s390*)
		echo 'no: not on this machine; dump goes through tracefs or /proc/kcore'
		return
		;;
	esac
	case $ft_lockdown in
	integrity | confidentiality)
		echo "no: lockdown ($ft_lockdown) closes it; dump goes through tracefs"
		return
		;;
	esac
	if ! crash_config CONFIG_STRICT_DEVMEM; then
		echo 'yes; with STRICT_DEVMEM (unknown here) reserved ranges only'
	elif [ "$crash_value" = y ]; then
		echo 'yes, STRICT_DEVMEM: reserved ranges only'
	else
		echo yes
	fi
}

crash_state_where() {
	if crash_volatile "$crash_dir"; then
		echo "$crash_dir is on $crash_fs, which a reset empties: name a folder on a disk with -S DIR"
	else
		echo "$crash_dir on $crash_fs"
	fi
}

crash_survival_text() {
	if [ -f "$crash_dir/survival" ]; then
		ft_cat_line "$crash_dir/survival"
	else
		echo "unknown: run '$ft_tool check -t' and reboot once"
	fi
}

crash_beware() { # one line for each thing that would lose the trace here
	local value

	if crash_overwrite_request; then
		crash_say beware 'EFI memory-overwrite request is set: firmware will clear RAM at the next reset. To clear it, after each boot:'
		crash_say '' "chattr -i FILE; printf '\\007\\000\\000\\000\\000' >FILE"
		crash_say '' 'FILE: /sys/firmware/efi/efivars/MemoryOverwriteRequestControl-*'
	fi
	if [ -n "$crash_configured" ]; then
		ft_read_first "$FT_TRACEFS/instances/$crash_name/trace_clock"
		case $ft_value in
		*'[local]'*) ;;
		*) crash_say beware "trace_clock of '$crash_name' is not local: the next boot would wipe a CPU ('arm' sets it)" ;;
		esac
		case ${crash_size:-x} in
		*[!0-9]* | ??????????*) ;;
		*)
			if [ $((crash_size / crash_ncpu)) -lt 65536 ]; then
				crash_say beware "$crash_ncpu possible CPUs share the region: $((crash_size / crash_ncpu / 1024)) KiB each;" \
					"make it larger, or boot with possible_cpus="
			fi
			;;
		esac
	fi
	case " $(ft_cat_line "$FT_PROC/cmdline") " in
	*' memtest'*) crash_say beware 'memtest= on the boot line overwrites RAM at boot' ;;
	esac
	if ft_read_first "$FT_PROC/sys/kernel/kptr_restrict" && [ "$ft_value" = 2 ]; then
		crash_say beware 'kernel.kptr_restrict is 2, which hides addresses from root too; arm sets it to 1 while it saves the symbols'
	fi
	value=$(crash_cmdline_words memmap | grep -c .)
	if [ "$value" -gt 4 ]; then crash_say beware 'more than 4 memmap= ranges: the kernel gives up choosing its physical place at random'; fi
}
