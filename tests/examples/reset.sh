# shellcheck shell=sh
# reset.sh - for sessions whose machine resets: the disk that stays, and which boot this is
# SPDX-License-Identifier: GPL-2.0-only

for module in virtio_pci virtio_blk crc32c_generic ext4; do
	grep -q "^$module\( \|\$\)" /modules/order || continue
	need_module "$module"
done
mkdir -p /disk
mount -t ext4 /dev/vda /disk || fail 'no disk'
# shellcheck disable=SC2034 # for the sessions
state=/disk/fieldtrace

# first_boot - is it the first? Not any more after that.
first_boot() {
	[ ! -e /disk/booted ] || return 1
	true >/disk/booted
}

# reset_now - as silent as the button
reset_now() {
	sync
	mount -o remount,ro /disk 2>/dev/null || true
	echo b >/proc/sysrq-trigger
	sleep 60
}
