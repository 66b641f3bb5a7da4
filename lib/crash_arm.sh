# crash_arm.sh - crashtrace arm, disarm, status, refresh
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: crash_arm, crash_disarm, crash_status, crash_do_refresh, crash_pick_backend, crash_wait_filter.
# Other than in every other command, what arm sets up stays when it ends; only an arm that fails is undone.

crash_undo= # the backend's function that takes back what was done so far

# What the functions here set, empty until then: the environment may have variables of these names.
crash_globs= crash_was_off=

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

crash_pick_backend() { # FOR (dump, arm, look) -> $crash_backend: -b, else what was armed last, else what there is
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
	elif [ "${1:-}" = dump ] && crash_module_region; then
		crash_backend=module # memmap= on the boot line: the recorder itself is not needed to read
	else
		crash_backend=ring
	fi
}

crash_arm() { # PATTERN...
	local word

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
	crash_pick_backend arm
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
	crash_uptime
	crash_put "$crash_saved/info" looked "$crash_up"
	if [ -z "$crash_watcher" ]; then crash_put "$crash_saved/info" watched no; fi
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
	local ft_lines ft_line rest mod

	ft_parse_patterns "$@"
	while ft_next_line; do
		rest=${ft_line#? * }
		rest=${rest%% *}
		while [ -n "$rest" ]; do
			mod=${rest%%,*}
			case $rest in
			*,*) rest=${rest#*,} ;;
			*) rest= ;;
			esac
			case $mod in
			-) ;;
			*[\*\?]*) if ! crash_module_like "$mod"; then return 0; fi ;;
			*) if ! ft_module_loaded "$mod"; then return 0; fi ;;
			esac
		done
	done
	return 1
}

crash_module_like() { # GLOB: whether a module that is loaded matches
	local name rest

	# shellcheck disable=SC2034
	while read -r name rest; do
		# shellcheck disable=SC2254 # a glob
		case $name in
		$1) return 0 ;;
		esac
	done 2>/dev/null <"$FT_PROC/modules"
	return 1
}

crash_wait_filter() { # PATTERN...: what there is, and named modules as the kernel waits for them; others come with the watcher
	local word

	for word in kernel_halt kernel_power_off machine_halt machine_power_off kernel_restart ''; do
		if [ -n "$word" ] && ft_set set_ftrace_filter "$word"; then break; fi
	done
	if [ -z "$word" ]; then ft_die "$FT_EX_KERNEL" 'no function found to keep the filter closed until the module loads'; fi
	crash_add_modules "$ft_dir" 1 "$@" | while IFS= read -r word; do
		ft_warn "the kernel does not take '$word' now"
	done
	ft_filter_count set_ftrace_filter
	ft_way=waiting
	ft_note "$ft_tool: some modules are not loaded yet; their functions are recorded once they are"
}

crash_add_modules() { # DIR FIRST PATTERN...: adds to DIR/set_ftrace_filter what crash_again.awk says of the patterns
	# FIRST: 1 when nothing was set before. $crash_seen: /proc/modules as it was then. Prints the words that were refused.
	local dir="$1" first="$2" out kind word

	shift 2
	out=$({
		ft_pattern_lines "$@"
		echo --
		cat "$FT_PROC/modules"
		echo --
		printf '%s\n' "${crash_seen:-}"
	} 2>/dev/null | ft_awk crash_again -v first="$first") || return 1
	printf '%s\n' "$out" | while read -r kind word; do
		case $kind in
		w) ft_append "$dir/set_ftrace_filter" "$word" || printf '%s\n' "$word" ;;
		r) crash_add_regex "$dir" "$word" || printf '%s\n' "$word" ;;
		esac
	done
}

crash_add_regex() { # DIR PATTERN: the functions that match now, by name; 1 when there is none
	local sign='' ft_lines ft_line

	case $2 in
	!*) sign=! ;;
	esac
	ft_lines=$(
		ft_resolve names "${2#!}" 2>/dev/null
		printf '%s\n' "$ft_resolved"
	) || return 1
	while ft_next_line; do
		case $ft_line in
		'' | --) ;;
		*) ft_append "$1/set_ftrace_filter" "$sign${ft_line%%[ 	]*}" || return 1 ;;
		esac
	done
}

### the others

crash_disarm() {
	ft_need_tracefs
	crash_look_state
	crash_traps
	if ! crash_get "$crash_dir/armed" backend; then
		if [ -f "$crash_dir/settings" ]; then
			rm -f "$crash_dir/settings" "$crash_dir/patterns"
			ft_note 'Nothing records in this boot, and none of the next will begin by itself. What memory and snapshots hold stays.'
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
		ft_note "Stopped. What was recorded: $ft_tool dump $crash_image"
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
	crash_get "$crash_dir/armed" backend
	crash_backend=$crash_value
	crash_get "$crash_dir/armed" name
	crash_name=$crash_value
	crash_note_gap
	crash_refresh
	crash_refilter
}

crash_uptime() { # -> $crash_up: seconds since this boot began, as the trace counts them
	crash_up=$(ft_cat_line "$FT_PROC/uptime")
	crash_up=${crash_up%% *}
}

crash_note_gap() { # the saved boot gets a line about each module that was not traced up to now: "MODULE FROM TO", in seconds
	local mod

	crash_filter_gone
	if [ -z "$crash_gone" ]; then return; fi
	crash_get "$crash_saved/info" looked || crash_value=unknown
	crash_uptime
	set -f
	for mod in $crash_gone; do crash_put "$crash_saved/untraced" "$mod" "$crash_value $crash_up"; done
	set +f
}

crash_status() {
	ft_need_tracefs
	crash_look_state
	crash_traps
	crash_pick_backend look
	crash_"$crash_backend"_look
	if [ -f "$crash_dir/patterns" ]; then crash_say patterns "$(crash_words "$crash_dir/patterns")"; fi
	if crash_is_armed; then
		crash_status_gone
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

crash_status_gone() { # a driver that is asked for, is there, and is not traced: on stdout, and on stderr
	crash_filter_gone
	if [ -z "$crash_gone" ]; then return; fi
	crash_say beware "NOT traced: $crash_gone (loaded again since it was armed). '$ft_tool refresh' traces it again"
	ft_warn "not traced since it was loaded again: $crash_gone. First: $ft_tool refresh"
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
