# shellcheck shell=sh
# guest_lib.sh - what the guest's scripts share: modules, the disk, a dump
# SPDX-License-Identifier: GPL-2.0-only

# The region that the command line reserves, unless the job says another.
: "${region:=0x18000000:1M}"
disk=/disk
state=$disk/state

# say TEXT - a line for the host
say() {
	printf '%s\n' "$1"
}

# give_up TEXT - end with that
give_up() {
	say "failed $1"
	exit 1
}

# load_module NAME - load it and what it needs, unless it is there
load_module() {
	local name
	# shellcheck disable=SC2013 # names
	for name in $(awk -v n="$1" '$1 == n { $1 = ""; print $0, n }' /modules/order); do
		[ -d "/sys/module/$name" ] || insmod "/modules/$name.ko" || give_up "cannot load $name"
	done
}

# open_disk - mount /disk
open_disk() {
	load_module virtio_pci
	load_module virtio_blk
	# Older kernels' ext4 asks for it by name, which no symbol shows.
	load_module crc32c_generic
	load_module ext4
	mkdir -p "$disk"
	mount -t ext4 /dev/vda "$disk" || give_up 'no disk'
	mkdir -p "$state"
}

# close_disk - everything written, nothing in doubt
close_disk() {
	sync
	umount "$disk" || give_up 'cannot unmount the disk'
}

# restart - the kernel resets the machine and does nothing else first. On s390x from CPU 0, which does it: with another,
# QEMU may see all of them stopped for a moment, and end.
restart() {
	case ${KEY-} in
	s390x*) taskset 1 sh -c 'echo b >/proc/sysrq-trigger' ;;
	*) echo b >/proc/sysrq-trigger ;;
	esac
}

# dump_as FILE [OPTION] - what crashtrace dump prints, into FILE and FILE.err
dump_as() {
	local file
	file=$1
	shift
	crashtrace dump -S "$state" "$@" >"$file" 2>"$file.err" || {
		cat "$file.err"
		say 'failed crashtrace dump'
	}
}

# dump N - what crashtrace makes of cycle N, onto the disk; its summary on the line too
dump() {
	mkdir -p "$disk/$1"
	dump_as "$disk/$1/all" -a
	dump_as "$disk/$1/short"
	cat "$disk/$1/short"
	dmesg | grep -i 'ring buffer\|boot instance\|ftrec' >"$disk/$1/dmesg"
}
