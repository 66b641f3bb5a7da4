# shellcheck shell=sh
# restore_guest.sh put|get - two boots of restore.sh: put the saved image into the wiped region; dump it
# SPDX-License-Identifier: GPL-2.0-only

# shellcheck source=guest_lib.sh
. /tests/crash/guest_lib.sh

# put - in a boot that has the reservation but records nothing into it
put() {
	# What was there before must not help.
	/bb/dd if=/dev/urandom of=/dev/mem bs=4096 seek=$((${region%:*} / 4096)) count=256 conv=notrunc 2>/dev/null ||
		give_up 'cannot wipe the region'
	# shellcheck disable=SC2086
	! /ft/helper/tracemem info $region >/dev/null 2>&1 || give_up 'the region is not wiped'
	crashtrace restore -S "$state" "$disk/saved" || give_up 'crashtrace restore'
}

# get - the boot after it, which is to take the image for its predecessor's; as cycle 2 for the host
get() {
	load_module dummy
	load_module loop
	# crashtrace knows the trace: without its copy it has to go by what is in memory.
	rm -f "$state/dumped" "$state"/*.img
	dump 2
}

say ''
open_disk
"$1"
close_disk
say 'all done'
