# shellcheck shell=sh
# devices.sh - part of lib.sh: modules, devices, and workloads of which one knows what they do
# SPDX-License-Identifier: GPL-2.0-only

# Where xfs_mount mounts, and the loop device attached last.
XFS=/mnt/xfs
LOOP=

# need_module NAME - load a module and what it needs; what was not there before is unloaded at the end
need_module() {
	local name
	if ! grep -q "^$1\( \|\$\)" /modules/order && [ ! -d "/sys/module/$1" ]; then
		# Whoever built an old kernel need not have built them all.
		[ ! "${OLD:-}" ] || skip "no module $1"
		fail "the guest has no module $1"
	fi
	# shellcheck disable=SC2013 # names
	for name in $(awk -v n="$1" '$1 == n { $1 = ""; print $0, n }' /modules/order); do
		[ ! -d "/sys/module/$name" ] || continue
		insmod "/modules/$name.ko" || fail "cannot load $name"
		at_end "unload $name"
	done
}

# retry COMMAND... - try it for some seconds, because the last user of a thing may need a moment to let go
retry() {
	wait_for 5 "$@" 2>/dev/null || "$@"
}

# unload NAME - remove a module
unload() {
	[ ! -d "/sys/module/$1" ] || retry rmmod "$1"
}

# loop_attach FILE - attach FILE to a free loop device, named in $LOOP, until the end of the case
loop_attach() {
	need_module loop
	LOOP=$(losetup -f) || fail 'no free loop device'
	losetup "$LOOP" "$1" || fail "cannot attach $1 to $LOOP"
	at_end "retry losetup -d $LOOP"
}

# xfs_image FILE - make an XFS of 320 MB, mostly a hole, in FILE; false if it cannot
xfs_image() {
	truncate -s 320M "$1" || return
	# By default mkfs.xfs uses what its own age knows, which an older kernel may refuse to mount. Some releases ship
	# the file for older kernels with words in it that they do not know themselves.
	mkfs.xfs -q -c options=/etc/mkfs.xfs.conf "$1" 2>/dev/null || mkfs.xfs -q "$1" || {
		rm -f "$1"
		return 1
	}
}

# xfs_mount - an XFS on a loop device, mounted at $XFS until the end of the case. It is made once in a boot.
xfs_mount() {
	need_module loop
	need_module xfs
	[ -e /mnt/img/xfs ] || xfs_image /mnt/img/xfs || fail 'mkfs.xfs failed'
	loop_attach /mnt/img/xfs
	mount -t xfs "$LOOP" "$XFS" || fail 'cannot mount the XFS'
	at_end "retry umount $XFS"
}

# w_reads N - N reads of 512 bytes from /dev/zero and as many writes to /dev/null, by one process "dd"
w_reads() {
	/bb/dd if=/dev/zero of=/dev/null bs=512 count="$1" status=none
}

# w_forks N - N children, one after the other, each of which ends at once
w_forks() {
	local left
	left=$1
	while [ "$left" -gt 0 ]; do
		(:)
		left=$((left - 1))
	done
}

# w_loop N - N writes of 4096 bytes, one at a time, past the page cache, to a loop device ($LOOP, made if there is none)
w_loop() {
	[ "$LOOP" ] || loop_ready
	/usr/bin/dd if=/dev/zero of="$LOOP" bs=4096 count="$1" oflag=direct conv=notrunc status=none
}

# loop_ready - a loop device of 64 MB for w_loop, when the case wants it in place before it starts to trace
loop_ready() {
	truncate -s 64M "$T/loop.img"
	loop_attach "$T/loop.img"
}

# w_xfs - create, write, read and remove files on $XFS until killed; for the background: w_xfs & at_end "kill $!"
w_xfs() {
	local i line
	while :; do
		for i in 0 1 2 3 4 5 6 7 8 9; do
			printf 'file %s of this round\n' "$i" >"$XFS/w$i"
			read -r line <"$XFS/w$i"
		done
		rm -f "$XFS"/w?
	done
}
