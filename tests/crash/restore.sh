#!/bin/sh
# restore.sh [-l DIR] [KEY...] - a saved trace, put back into wiped memory, is the next boot's previous boot; TAP
# SPDX-License-Identifier: GPL-2.0-only
#
# Three machines after one another, for each KEY (6.12 and 7 unless said): the first crashes, dumps and saves the image;
# the second, whose memory is new, restores it, from a boot with the reservation but without the trace instance; the
# third has the memory of the second and the trace instance, and must dump what the first one did.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit
# shellcheck source=common.sh
. "$here/common.sh" || exit

# restore_story DIR KEY - the three machines
restore_story() {
	local dir key ram append extra limit
	dir=$1/$2-sysrq-b key=$2
	crash_guest "$1" "$key" sysrq-b save
	ram=$dir/ram
	# Memory of the machine in a file: another command line takes another QEMU.
	extra="-q -object -q memory-backend-file,id=ram,size=768M,mem-path=$ram,share=on -q -machine -q memory-backend=ram"
	limit=600
	append=$(words none put)
	tap_ok "$key: restore into wiped memory" guest "$dir" "$key" "$here/restore_guest.sh" put
	tap_note "$(cat "$dir/job.log")"
	append=$(words ring get)
	tap_ok "$key: a boot with the image in memory" guest "$dir" "$key" "$here/restore_guest.sh" get
	rm -f "$ram"
	fetch_result "$dir" /2/all "$dir/2.all"
	fetch_result "$dir" /2/dmesg "$dir/2.dmesg"
	tap_like "$key: the kernel takes it for its previous boot" "$(cat "$dir/2.dmesg")" 'meta \[0\] is from previous boot'
	tap_ok "$key: dumped before and after, the same records" same_records "$dir/1/all" "$dir/2.all"
}

main() {
	local dir key
	logs_option "$@"
	shift $((OPTIND - 1))
	[ $# -gt 0 ] || set -- 6.12 7
	open_logs "$dir"
	{
		for key; do
			restore_story "$logs" "$key"
		done
		tap_done
	} | tee "$logs/tap"
	tap_total "$logs/tap"
}

main "$@"
