# crash_bisect.sh - crashtrace bisect: from a driver to the few functions that ran last before each reset
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: crash_bisect. State, over reboots, in the folder bisect of the state folder: "round", "set" (the functions
# recorded in this round, one a line, a list for @FILE), "log" (a line a round), "images" (lines of "dumped").
#
# After each reset the half of the set goes whose last calls were longest ago, and those that were not called at all. A
# smaller set is cheaper and reaches farther back, so that what one full region pushed out is seen in a later round; the
# end is one function, or a set that all ran within the last millisecond.

# What the functions here set, empty until then: the environment may have variables of these names.
crash_bisect_dir=

crash_bisect() { # [PATTERN...]: begins with these; without any goes on after a reset
	ft_need_tracefs
	crash_need_state
	crash_helper || :
	crash_bisect_dir=$crash_dir/bisect
	if [ $# -gt 0 ]; then
		crash_bisect_begin "$@"
	elif [ ! -f "$crash_bisect_dir/set" ]; then
		ft_usage_error 'no bisection was begun: give it patterns'
	elif crash_is_armed; then
		ft_note "round $(ft_cat_line "$crash_bisect_dir/round") is recording $(crash_set_text); after the reset: $ft_tool bisect"
		return
	else
		crash_bisect_next || return 0
	fi
	crash_arm "@$crash_bisect_dir/set"
}

crash_bisect_begin() { # PATTERN...
	if [ -f "$crash_bisect_dir/set" ] && [ -z "$force" ]; then
		ft_die "$FT_EX_BUSY" "a bisection is under way ($(crash_set_text)). '$ft_tool bisect' goes on with it; -f begins anew"
	fi
	mkdir -p "$crash_bisect_dir" || ft_die "$FT_EX_OUTPUT" "cannot write $crash_bisect_dir"
	rm -f "$crash_bisect_dir/log"
	ft_check_patterns "$@"
	FT_LISTING=$crash_bisect_dir/set
	export FT_LISTING
	ft_resolve listing "$@"
	unset FT_LISTING
	echo 1 | crash_replace "$crash_bisect_dir/round" || exit
}

crash_set_text() {
	local n

	n=$(grep -c . "$crash_bisect_dir/set") || n=0
	if [ "$n" = 1 ]; then echo '1 function'; else echo "$n functions"; fi
}

crash_bisect_next() { # the next, smaller set; 1 when this was the last round
	local round before after

	round=$(ft_cat_line "$crash_bisect_dir/round")
	before=$(grep -c . "$crash_bisect_dir/set")
	# Ends with 10 when the region is empty: the same set is tried again by hand, with "arm".
	format=text
	output=$crash_bisect_dir/trace
	(
		crash_traps
		crash_dump
	) || exit
	format=
	output=
	ft_awk crash_halve -v set="$crash_bisect_dir/set" "$crash_bisect_dir/trace" >"$crash_bisect_dir/set.new"
	rm -f "$crash_bisect_dir/trace"
	crash_bisect_prune
	after=$(grep -c . "$crash_bisect_dir/set.new") || after=0
	crash_put "$crash_bisect_dir/log" "round $round:" "$before functions, $after left"
	if [ "$after" = 0 ]; then
		rm -f "$crash_bisect_dir/set.new"
		ft_die "$FT_EX_NODATA" "none of the $before functions is in the trace: the reset comes from elsewhere, or round $round was too early"
	fi
	mv "$crash_bisect_dir/set.new" "$crash_bisect_dir/set"
	if [ "$after" = 1 ] || [ "$after" -ge "$before" ]; then
		cat "$crash_bisect_dir/set"
		ft_note "$ft_tool: done after $round rounds; these ran last"
		rm -rf "$crash_bisect_dir"
		return 1
	fi
	echo $((round + 1)) | crash_replace "$crash_bisect_dir/round" || exit
}

crash_bisect_prune() { # of this bisection's snapshots only the newest two stay: a small disk is full after a few rounds
	local key image

	set --
	# What the subshell has dumped.
	tail -n 1 "$crash_dir/dumped" >>"$crash_bisect_dir/images"
	while read -r key image; do
		case $image in
		"$crash_dir"/*) ;;
		*) continue ;;
		esac
		set -- "$@" "$image"
	done <"$crash_bisect_dir/images"
	while [ $# -gt 2 ]; do
		rm -f "$1" "${1%.*}.note"
		shift
	done
}
