# crash_survive.sh - crashtrace check -t: does memory survive a reset here?
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: crash_survive. Run once it writes a pattern into the region, run again after a reboot it counts what is left.
# The pattern goes through the kernel's own ring buffer where that owns the region (then the kernel's acceptance is
# tested as well), else through the helper. Keeps "pending" and the last result, "survival", in the state folder.

CRASH_MARK=fieldtrace-survival
CRASH_MARKS=2000

# What the functions here set, empty until then: the environment may have variables of these names.
crash_wrote=

crash_survive() {
	ft_need_tracefs
	crash_need_state
	crash_traps
	crash_helper || :
	crash_pick_backend look
	if crash_get "$crash_dir/pending" boot && [ "$crash_value" != "$crash_boot" ]; then
		crash_get "$crash_dir/pending" backend
		crash_backend=$crash_value
		crash_survived
	else
		crash_write_pattern
	fi
}

crash_write_pattern() {
	if [ "$crash_backend" = ring ]; then crash_pattern_ring; else crash_pattern_memory; fi
	printf 'boot %s\nbackend %s\nwhere %s\nwrote %s\n' "$crash_boot" "$crash_backend" "$crash_where" "$crash_wrote" |
		crash_replace "$crash_dir/pending" || exit
	sync
	crash_say written "$crash_wrote marks into $crash_where"
	crash_line "Now restart this machine the way it resets in the field: reset button, watchdog, or 'echo b >/proc/sysrq-trigger'"
	crash_line "(a plain reboot tells less). Then, before anything is armed: $ft_tool check -t"
}

crash_pattern_ring() {
	# Markers fill the buffer of the CPUs that this shell runs on.
	tracer=nop
	crash_ring_ready
	crash_undo=crash_ring_undo
	crash_ring_was=0
	ft_write "$ft_dir/trace" ''
	ft_write "$ft_dir/tracing_on" 1
	ft_awk crash_marks -v mark="$CRASH_MARK" -v n="$CRASH_MARKS" -v file="$ft_dir/trace_marker" </dev/null ||
		ft_die "$FT_EX_FAIL" "cannot write $ft_dir/trace_marker"
	ft_write "$ft_dir/tracing_on" 0
	crash_undo=
	# A small region holds the newest of them only.
	crash_wrote=$(crash_count_ring)
}

crash_count_ring() {
	grep -c "$CRASH_MARK" "$ft_dir/trace"
}

crash_pattern_memory() {
	local file="$crash_dir/.pattern.$$"

	crash_need_helper 'testing a region that no ring buffer owns'
	crash_module_need
	if [ -d "$FT_FTREC" ]; then ft_die "$FT_EX_BUSY" "the recorder has the region. First: $ft_tool disarm"; fi
	crash_source=$crash_where
	if [ -z "$force" ] && crash_info_key module 2>/dev/null && ! crash_was_dumped "$crash_key"; then
		ft_die "$FT_EX_BUSY" "the region holds a trace. First: $ft_tool dump   (or -f to drop it)"
	fi
	# An image of nothing but marks, as large as the region.
	if ! crash_restore_marks "$file"; then
		rm -f "$file" "$file.img"
		ft_die "$FT_EX_FAIL" "cannot write the region $crash_where"
	fi
	rm -f "$file" "$file.img"
}

crash_restore_marks() { # FILE -> $crash_wrote
	crash_wrote=$(ft_awk crash_pattern -v mark="$CRASH_MARK" -v size="$crash_size" -v file="$1" </dev/null) || return "$?"
	"$crash_tracemem" snapshot "$1" "$1.img" || return "$?"
	"$crash_tracemem" restore -f "$1.img" "$crash_where"
}

crash_survived() {
	local wrote found=0 how

	crash_get "$crash_dir/pending" wrote
	wrote=$crash_value
	case $wrote in
	'' | *[!0-9]*) ft_die "$FT_EX_FAIL" "$crash_dir/pending is damaged: remove it, and begin again with $ft_tool check -t" ;;
	esac
	crash_get "$crash_dir/pending" where
	crash_where=$crash_value
	if [ "$crash_backend" = ring ]; then
		if crash_ring_find "$crash_region"; then
			ft_dir=$FT_TRACEFS/instances/$crash_name
			found=$(crash_count_ring)
			ft_write "$ft_dir/trace" ''
		fi
	else
		crash_need_helper 'reading the region'
		found=$("$crash_tracemem" snapshot "$crash_where" - | grep -a -c "$CRASH_MARK") || found=${found:-0}
	fi
	rm -f "$crash_dir/pending"
	if [ "$found" != 0 ]; then printf 'where %s\n' "$crash_where" | crash_replace "$crash_dir/tested" || exit; fi
	how="$found of $wrote marks survived"
	if [ "$found" = 0 ]; then
		how="no: none of $wrote marks survived"
	elif [ "$found" -ge "$wrote" ]; then
		how="yes: all $wrote marks survived"
	fi
	printf '%s (%s, %s, %s)\n' "$how" "$(date '+%Y-%m-%d')" "$(uname -r)" "$crash_where" | crash_replace "$crash_dir/survival" || exit
	sync
	crash_say survival "$(crash_survival_text)"
	if [ "$found" = 0 ]; then
		if [ "$crash_backend" = ring ]; then crash_why_refused ''; fi
		ft_die "$FT_EX_NODATA" "memory did not survive: firmware clears it, or power was off. See the lines 'beware' of $ft_tool check"
	fi
}
