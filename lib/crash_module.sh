# crash_module.sh - crashtrace: the recorder module (helper/recorder), for kernels without the persistent ring buffer
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: crash_module_there and crash_module_* as crash_ring.sh has them. Touches the module ftrec and its parameters
# in /sys/module/ftrec/parameters.

FT_FTREC=/sys/module/ftrec/parameters

# What the functions here set, empty until then: the environment may have variables of these names.
crash_ko= crash_overwrite= value=

crash_module_file() { # -> $crash_ko: the module for this kernel, empty when there is none
	local file release

	release=$(uname -r)
	crash_ko=$module_file
	if [ -n "$crash_ko" ]; then return; fi
	for file in "$FT_LIB/ftrec-$release.ko" "$FT_LIB/../helper/recorder/ftrec-$release.ko" \
		"$FT_LIB/../helper/recorder/ftrec.ko" "/lib/modules/$release/extra/ftrec.ko" "/lib/modules/$release/updates/ftrec.ko"; do
		if [ -f "$file" ]; then
			crash_ko=$file
			return
		fi
	done
}

crash_module_there() { # whether this backend could be used without further words
	crash_module_file
	[ -d "$FT_FTREC" ] || [ -n "$crash_ko" ]
}

crash_module_region() { # -> $crash_where, $crash_addr, $crash_size; 1 when no region is known
	# -r, the settings, the loaded module, or what memmap=SIZE$ADDRESS takes away from the kernel.
	local ft_lines ft_line

	crash_name=ftrec
	crash_where=$crash_region
	if [ -z "$crash_where" ] && crash_get "$crash_dir/settings" backend && [ "$crash_value" = module ] &&
		crash_get "$crash_dir/settings" region; then
		crash_where=$crash_value
	fi
	if [ -z "$crash_where" ] && ft_read_first "$FT_FTREC/address" && [ -n "$ft_value" ]; then
		crash_where=$ft_value
		ft_read_first "$FT_FTREC/size"
		crash_where=$crash_where:$ft_value
	fi
	if [ -z "$crash_where" ]; then
		ft_lines=$(crash_cmdline_words memmap)
		while ft_next_line; do
			case $ft_line in
			*\$*)
				value=${ft_line%%,*}
				crash_where=${value#*\$}:${value%%\$*}
				break
				;;
			esac
		done
	fi
	case $crash_where in
	[0-9]*:[0-9]*) ;;
	*) return 1 ;;
	esac
	crash_addr=${crash_where%%:*}
	crash_size=${crash_where#*:}
}

crash_module_need() {
	if crash_module_region; then return; fi
	ft_die "$FT_EX_USAGE" "no region: name it with -r ADDRESS:SIZE; it must be kept from the kernel" \
		"(memmap=SIZE\$ADDRESS, mem=, a device-tree node; '$ft_tool check' proposes one)"
}

crash_module_key() { # -> $crash_key; 1 when the region holds no trace
	crash_info_key module
}

crash_module_ready() {
	crash_module_need
	crash_module_file
	crash_helper || :
	crash_source=$crash_where
	crash_overwrite=$force
	if [ -d "$FT_FTREC" ]; then
		if ft_read_first "$FT_FTREC/enable" && [ "$ft_value" = 1 ] && [ -z "$force" ]; then
			ft_die "$FT_EX_BUSY" "the recorder is running. First: $ft_tool disarm   (-f begins anew)"
		fi
		crash_overwrite=1 # what it holds is of this boot; it looked at the region when it was loaded
		if [ -z "$crash_ko" ]; then return; fi
	elif [ -z "$crash_ko" ]; then
		ft_die "$FT_EX_KERNEL" "no recorder module for $(uname -r): build it with 'make -C helper/recorder'," \
			"and name it with -k FILE"
	fi
	if [ ! -r "$crash_ko" ]; then ft_die "$FT_EX_FAIL" "cannot read $crash_ko"; fi
	# A compressed one does not tell before it is loaded.
	if head -c 4 "$crash_ko" | grep -q ELF && ! grep -q ftrec "$crash_ko"; then
		ft_die "$FT_EX_USAGE" "$crash_ko is another module, not the recorder: that is ftrec.ko, made by 'make -C helper/recorder'"
	fi
	if [ -z "$crash_overwrite" ] && [ -n "$crash_tracemem" ] && crash_module_key 2>/dev/null; then
		if crash_was_dumped "$crash_key"; then
			crash_overwrite=1
		elif [ "$crash_writer" != "$crash_boot" ]; then
			ft_die "$FT_EX_BUSY" "$crash_where holds the trace of an earlier boot, which arming wipes." \
				"First: $ft_tool dump   (or -f to drop it)"
		else
			crash_overwrite=1
		fi
	fi
}

crash_module_setup() { # PATTERN...: load, and set the filter
	crash_undo=crash_module_undo
	if [ -d "$FT_FTREC" ]; then
		ft_write "$FT_FTREC/enable" 0
		if [ -n "$crash_ko" ]; then rmmod ftrec || ft_die "$FT_EX_BUSY" 'cannot unload the recorder that is loaded'; fi
	fi
	if [ ! -d "$FT_FTREC" ]; then
		crash_open_kptr
		crash_text_of "$(grep -F -e ' _text' -e ' _stext' "$FT_PROC/kallsyms")"
		crash_close_kptr
		crash_module_load "addr=$crash_addr" "size=$crash_size" "boot_id=$crash_boot" "text=${crash_value:-0}" \
			${memtype:+"memtype=$memtype"} ${crash_overwrite:+overwrite=1}
	fi
	ft_write "$FT_FTREC/filter" - || ft_warn 'the recorder does not clear its filter'
	cat "$FT_PROC/modules" >"$FT_FTREC/modules" 2>/dev/null || ft_warn 'the recorder takes no list of modules'
	crash_module_filter "$@"
	crash_clock=local
}

crash_module_load() { # PARAMETER...: insmod, with the kernel's own reason when it refuses
	local error line

	if error=$(insmod "$crash_ko" "$@" 2>&1); then return; fi
	line=$(crash_log 'ftrec' | tail -n 1)
	case $error$line in
	*'File exists'* | *'resource busy'* | *dump*)
		ft_die "$FT_EX_BUSY" "the recorder refuses the region: ${line##*] }${line:+. }First: $ft_tool dump   (or -f to drop what is there)"
		;;
	*'not permitted'* | *'Required key'*) ft_die "$FT_EX_PERM" "cannot load $crash_ko: $error ${line##*] }" ;;
	esac
	ft_die "$FT_EX_FAIL" "cannot load $crash_ko: $error ${line##*] }"
}

crash_module_filter() { # PATTERN...: whole modules by name, all else by index or name
	local arg rest line mods='' words='' want

	for arg; do
		case $arg in
		:mod:*[!A-Za-z0-9_-]*) words="$words $arg" ;;
		:mod:*) mods="$mods $(ft_underscores "${arg#:mod:}")" ;;
		*) words="$words $arg" ;;
		esac
	done
	ft_nfunc=0
	for arg in $mods; do # no glob: letters, digits and _
		if ! ft_module_loaded "$arg" && [ -z "$wait" ]; then ft_no_module "$arg"; fi
		ft_write "$FT_FTREC/module" "$arg" || ft_die "$FT_EX_FAIL" "the recorder refuses module '$arg': $(crash_module_reason)"
	done
	if [ -n "$words" ]; then
		set -f
		# shellcheck disable=SC2086 # patterns hold no blanks
		set -- $words
		set +f
		want=$(ft_pattern_lines "$@") || exit
		ft_check_modules "$want"
		ft_resolve filter "$@"
		# Index numbers are quick, from 5.1 on; names otherwise.
		crash_module_words i || { ft_write "$FT_FTREC/filter" - && crash_module_words f; } ||
			ft_die "$FT_EX_REFUSED" "the recorder takes none of these functions: $(crash_module_reason)"
	fi
	ft_read_first "$FT_FTREC/filter" && ft_nfunc=$ft_value
	if [ -n "$mods" ] && [ -z "$words" ]; then ft_nfunc=$(crash_module_count "$mods"); fi
}

crash_module_count() { # MODULES: how many functions they have that can be traced
	# shellcheck disable=SC2016 # awk's own
	"$ft_awk" -v mods="$1 " '{ gsub(/[][]/, "", $2) } $2 != "" && index(mods, " " $2 " ") { n++ } END { print n + 0 }' \
		"$FT_TRACEFS/available_filter_functions"
}

crash_module_reason() { # the kernel's last word about the recorder
	local line

	line=$(crash_log ftrec | tail -n 1)
	printf '%s\n' "${line##*] }"
}

crash_module_words() { # LETTER: the lines of $ft_resolved that begin with it; 1 when one is refused
	local ft_lines="$ft_resolved" ft_line

	while ft_next_line; do
		case $ft_line in
		"$1 "*) ft_write "$FT_FTREC/filter" "${ft_line#? }" || return 1 ;;
		esac
	done
}

crash_module_undo() {
	ft_write "$FT_FTREC/enable" 0
	rmmod ftrec 2>/dev/null
}

crash_module_start() {
	if ! ft_write "$FT_FTREC/enable" 1; then ft_die "$FT_EX_FAIL" "the recorder does not start: $(crash_module_reason)"; fi
}

crash_module_stop() {
	if [ -d "$FT_FTREC" ]; then
		ft_write "$FT_FTREC/enable" 0
		rmmod ftrec || ft_warn 'cannot unload the recorder'
	fi
}

crash_module_look() { # status
	if ! crash_module_region; then
		crash_say region "none: name it with -r ADDRESS:SIZE"
		return
	fi
	crash_say region "$crash_addr, $crash_size, recorder module"
	if [ ! -d "$FT_FTREC" ]; then
		crash_say recording 'no: the module is not loaded'
	elif ft_read_first "$FT_FTREC/enable" && [ "$ft_value" = 1 ]; then
		crash_say recording "yes: $(ft_cat_line "$FT_FTREC/records") records, $(ft_cat_line "$FT_FTREC/missed") missed"
	else
		crash_say recording "no: stopped, $(ft_cat_line "$FT_FTREC/records") records"
	fi
	crash_source=$crash_where
	crash_trace_line module
}

crash_module_dumpable() {
	crash_module_need
	crash_need_helper 'reading the region of the recorder'
	crash_source=$crash_where
	crash_info_dumpable module
}

crash_module_writer() { # -> $crash_saved
	crash_boot_folder "$crash_writer"
}

crash_module_copy_text() {
	crash_need_helper 'reading the region of the recorder'
}
