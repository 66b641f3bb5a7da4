# crash_arm.sh - crashtrace arm, disarm, status, refresh
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: crash_arm, crash_disarm, crash_status, crash_do_refresh, crash_pick_backend, crash_wait_filter.
# Other than in every other command, what arm sets up stays when it ends; only an arm that fails is undone.

crash_undo= # the backend's function that takes back what was done so far

crash_traps() {
	ft_identify
	ft_trap
	trap crash_cleanup EXIT
}

crash_cleanup() {
	# ft_cleanup removes the session's instance: a boot instance is not ours to remove.
	local code=$?

	ft_private=
	crash_close_kptr
	if [ -n "$crash_undo" ]; then
		"$crash_undo"
		# shellcheck disable=SC2086 # no glob: "PID START", our own
		crash_unwatch ${crash_watcher:-}
		rm -f "$crash_dir/armed" "$crash_dir/asked"
	fi
	crash_forget
	ft_dir=
	(exit "$code")
	ft_cleanup
}

crash_pick_backend() { # FOR -> $crash_backend: -b, else what was armed last, else what there is
	crash_backend=$backend
	if [ -n "$crash_backend" ]; then return; fi
	case $crash_region in
	[0-9]*:*)
		crash_backend=module
		return
		;;
	esac
	if crash_get "$crash_dir/settings" backend; then
		crash_backend=$crash_value
	elif crash_find_instance "$crash_region"; then
		crash_backend=ring
	elif crash_module_there; then
		crash_backend=module
	elif crash_pstore_there; then
		crash_backend=pstore
	else
		crash_backend=ring
	fi
}

crash_arm() { # PATTERN...
	# What the words alone tell comes before anything is touched.
	crash_state_dir
	if [ $# -eq 0 ]; then
		crash_last_time
		set -f
		# shellcheck disable=SC2046 # patterns hold no blanks
		set -- $(cat "$crash_dir/patterns")
		set +f
	fi
	ft_check_patterns "$@"
	ft_need_tracefs
	crash_need_state
	crash_traps
	ft_clean_stale
	crash_pick_backend
	crash_as_before
	crash_not_armed
	crash_"$crash_backend"_ready
	crash_functions_on
	if [ -n "$hardware" ]; then
		crash_hardware
		set -f
		# shellcheck disable=SC2086 # globs without blanks
		set -- "$@" $crash_globs
		set +f
	fi
	# The old settings stay until the new ones have proved good.
	crash_"$crash_backend"_setup "$@"
	for word; do printf '%s\n' "$word"; done | crash_replace "$crash_dir/asked" || exit
	crash_save_boot
	mv "$crash_dir/asked" "$crash_dir/patterns" || ft_die "$FT_EX_OUTPUT" "cannot write $crash_dir/patterns"
	crash_settings | crash_replace "$crash_dir/settings" || exit
	crash_watcher=
	crash_watch
	crash_armed | crash_replace "$crash_dir/armed" || exit
	sync
	crash_"$crash_backend"_start
	crash_undo=
	crash_prune
	ft_note "Recording $(ft_functions_text) with the $crash_backend backend; after the reset: $ft_tool dump${state:+ -S $state}"
}

crash_last_time() {
	# arm without a pattern, as the boot hooks do it: what the last arm asked for, waiting for modules to come.
	if ! crash_get "$crash_dir/settings" backend; then
		ft_usage_error 'no function given, and nothing was armed before'
	fi
	if [ -z "$backend" ]; then backend=$crash_value; fi
	wait=1
	if crash_get "$crash_dir/settings" tracer; then tracer=$crash_value; fi
}

crash_as_before() { # what need not be said again to the same backend: where, and with which file
	if ! crash_get "$crash_dir/settings" backend || [ "$crash_value" != "$crash_backend" ]; then return 0; fi
	if [ -z "$crash_region" ] && crash_get "$crash_dir/settings" region; then crash_region=$crash_value; fi
	if [ -z "$memtype" ] && crash_get "$crash_dir/settings" memtype; then memtype=$crash_value; fi
	if [ -z "$module_file" ] && crash_get "$crash_dir/settings" file; then module_file=$crash_value; fi
}

crash_settings() {
	local region="$crash_region"

	if [ -z "$region" ] && [ "$crash_backend" = module ]; then region=$crash_where; fi
	printf 'backend %s\nregion %s\ntracer %s\n' "$crash_backend" "$region" "$tracer"
	if [ -n "$memtype" ]; then printf 'memtype %s\n' "$memtype"; fi
	if [ -n "$module_file" ]; then printf 'file %s\n' "$module_file"; fi
}

crash_armed() {
	printf 'boot %s\nbackend %s\nname %s\nwhere %s\nwatcher %s\nenabled %s\nfunctions %s\n' "$crash_boot" "$crash_backend" \
		"$crash_name" "$crash_where" "$crash_watcher" "${crash_was_off:-}" "$(ft_functions_text)"
}

crash_is_armed() { # whether this boot is recording, by our own note
	crash_get "$crash_dir/armed" boot && [ "$crash_value" = "$crash_boot" ]
}

crash_not_armed() {
	if ! crash_is_armed; then return; fi
	if [ -z "$force" ]; then
		ft_die "$FT_EX_BUSY" "already recording in this boot. First: $ft_tool disarm   (-f begins anew and drops what was recorded)"
	fi
	crash_end_watcher
}

crash_end_watcher() {
	crash_get "$crash_dir/armed" watcher || :
	set -f
	# shellcheck disable=SC2086 # "PID START"
	set -- $crash_value
	set +f
	if [ $# = 2 ] && ft_alive "$1" "$2"; then crash_unwatch "$1" "$2"; fi
}

crash_functions_on() {
	# kernel.ftrace_enabled = 0 would record nothing, without a word.
	crash_was_off=
	ft_read_first "$FT_PROC/sys/kernel/ftrace_enabled" || return 0
	if [ "$ft_value" != 0 ]; then return; fi
	ft_warn 'kernel.ftrace_enabled was 0; it is 1 now, and 0 again after disarm'
	crash_was_off=0
	if ! ft_write "$FT_PROC/sys/kernel/ftrace_enabled" 1; then
		ft_die "$FT_EX_PERM" 'cannot set kernel.ftrace_enabled to 1: no function would be recorded'
	fi
}

crash_prune() {
	# Saved boots that no snapshot needs and that are not this one: each is a megabyte or two.
	local dir name keep=' '

	for dir in "$crash_dir"/*.note; do
		if crash_get "$dir" saved; then keep="$keep$crash_value "; fi
	done
	for dir in "$crash_dir"/boots/[0-9]*.*; do
		name=${dir##*/}
		case $keep in
		*" $name "*) continue ;;
		esac
		if [ "$dir" != "$crash_saved" ] && [ -d "$dir" ]; then rm -rf "$dir"; fi
	done
}

crash_hardware() { # -> $crash_globs: what drivers do to their hardware beside their own functions, as far as it is here
	crash_globs=$(ft_awk crash_prefixes "$FT_TRACEFS/available_filter_functions")
	if [ -z "$crash_globs" ]; then ft_warn 'this kernel has no clk, reset, regulator or pm_runtime function to add'; fi
}

### modules that are not loaded yet

crash_absent_modules() { # PATTERN...: whether one of them names a module that is not loaded
	local arg

	for arg; do
		case $arg in
		*:mod:*) if ! ft_module_loaded "$(ft_underscores "${arg##*:mod:}")"; then return 0; fi ;;
		esac
	done
	return 1
}

crash_wait_filter() { # PATTERN...: as ft_wait_filter, beside functions that are there already
	local word lines

	lines=$(ft_pattern_lines "$@") || exit
	if ! ft_native_words "$lines"; then
		ft_usage_error 'a regex or a list cannot wait for a module; use :mod:NAME and globs'
	fi
	for word in kernel_halt kernel_power_off machine_halt machine_power_off kernel_restart ''; do
		if [ -n "$word" ] && ft_set set_ftrace_filter "$word"; then break; fi
	done
	if [ -z "$word" ]; then ft_die "$FT_EX_KERNEL" 'no function found to keep the filter closed until the module loads'; fi
	set -f
	for word in $ft_words; do
		ft_append "$ft_dir/set_ftrace_filter" "$word" || ft_warn "the kernel does not take '$word'; going on with the others"
	done
	set +f
	ft_filter_count set_ftrace_filter
	ft_way=waiting
	ft_note "$ft_tool: some modules are not loaded yet; their functions are recorded once they are"
}

### the others

crash_disarm() {
	ft_need_tracefs
	crash_look_state
	crash_traps
	if ! crash_get "$crash_dir/armed" backend; then
		if [ -f "$crash_dir/settings" ]; then
			rm -f "$crash_dir/settings" "$crash_dir/patterns"
			ft_note 'was not recording; it will not begin again at the next boot'
			return
		fi
		ft_note 'nothing is armed'
		return
	fi
	crash_backend=$crash_value
	crash_image=
	if crash_is_armed; then
		crash_get "$crash_dir/armed" name
		crash_name=$crash_value
		crash_end_watcher
		# Names of processes that came after arming, for a dump in this boot.
		if crash_boot_folder "$crash_boot"; then crash_save_names; fi
		crash_"$crash_backend"_stop
		if crash_get "$crash_dir/armed" enabled && [ "$crash_value" = 0 ]; then
			ft_write "$FT_PROC/sys/kernel/ftrace_enabled" 0
		fi
	fi
	rm -f "$crash_dir/armed" "$crash_dir/settings" "$crash_dir/patterns"
	sync
	if [ -n "${crash_image:-}" ]; then
		ft_note "Stopped. What was recorded is in $crash_image: $ft_tool dump FILE"
	else
		ft_note 'Stopped.'
	fi
}

crash_do_refresh() {
	ft_need_tracefs
	crash_look_state
	crash_traps
	if ! crash_is_armed || ! crash_boot_folder "$crash_boot"; then
		ft_die "$FT_EX_NODATA" 'nothing is armed in this boot'
	fi
	crash_refresh
}

crash_status() {
	ft_need_tracefs
	crash_look_state
	crash_traps
	crash_pick_backend
	crash_"$crash_backend"_look
	if [ -f "$crash_dir/patterns" ]; then crash_say patterns "$(crash_words "$crash_dir/patterns")"; fi
	if crash_is_armed; then
		crash_get "$crash_dir/armed" watcher
		set -f
		# shellcheck disable=SC2086 # "PID START"
		set -- $crash_value
		set +f
		if [ $# = 2 ] && ft_alive "$1" "$2"; then
			crash_say names "kept current (PID $1)"
		else
			crash_say names "as of arming; after loading a module: $ft_tool refresh"
		fi
	fi
	crash_say state "$crash_dir$(crash_state_text)"
}

crash_words() { # FILE: its lines as one
	local line out=''

	while IFS= read -r line; do out="$out${out:+ }$line"; done <"$1"
	printf '%s\n' "$out"
}

crash_state_text() { # how many snapshots there are
	local file n=0

	for file in "$crash_dir"/*.img "$crash_dir"/*.txt; do
		if [ -f "$file" ]; then n=$((n + 1)); fi
	done
	if [ ! -d "$crash_dir" ]; then echo ' (not there yet)'; else echo ", snapshots: $n"; fi
}
