# crash_image.sh - crashtrace save, restore: images of the region
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: crash_save, crash_restore. tracemem does it, and refuses what must not be written: a live region, System RAM,
# an image of another place or size.

crash_save() { # FILE
	ft_need_tracefs
	crash_look_state
	crash_helper || :
	crash_need_helper save
	crash_pick_backend look
	case $crash_backend in
	ring)
		crash_ring_need "$crash_region"
		crash_source=@$crash_name
		;;
	module)
		crash_module_need
		crash_source=$crash_where
		;;
	*) crash_pstore_region ;;
	esac
	"$crash_tracemem" snapshot "$crash_source" "$1" || exit
	sync
	if [ "$1" != - ]; then ft_note "$crash_source saved in $1"; fi
}

crash_restore() { # FILE
	# For a kernel to accept it as its previous boot's, it must be the same kernel build, with the same CPUs and the same
	# region; and it is written from a boot without trace_instance=, since a live region cannot be.
	local info address='' size=''

	crash_helper || :
	crash_need_helper restore
	if [ ! -r "$1" ]; then ft_die "$FT_EX_FAIL" "cannot read $1"; fi
	crash_source=$crash_region
	if [ -z "$crash_source" ]; then
		info=$("$crash_tracemem" info "$1" 2>/dev/null) || :
		crash_key_of "$info" address && address=$crash_value
		crash_key_of "$info" size && size=$crash_value
		if [ -z "$address" ]; then ft_usage_error "$1 does not say where it was taken; name the region with -r ADDRESS:SIZE"; fi
		crash_source=$address:$size
	fi
	"$crash_tracemem" restore ${force:+-f} "$1" "$crash_source" || exit
	ft_note "$1 is in $crash_source again. Restart warmly (or kexec) into the boot line with trace_instance=, then: $ft_tool dump"
}
