# shellcheck shell=sh
# boots_guest.sh survive|bisect [OPTION...] - run at every boot of one guest: what crashtrace keeps in mind over resets
# SPDX-License-Identifier: GPL-2.0-only
#
# survive: "crashtrace check -t" before and after a reset. bisect: "crashtrace bisect" until it is done; the culprit is
# the write into /proc/sysrq-trigger that resets this machine. OPTIONs go to crashtrace. On the disk, for the host:
# /N, what crashtrace said in boot N, and /result, what the bisection ended with.

# shellcheck source=guest_lib.sh
. /tests/crash/guest_lib.sh

# reset_now - everything written, then a reset that the kernel does not prepare
reset_now() {
	sync
	echo b >/proc/sysrq-trigger
	sleep 60
	give_up 'no reset'
}

# said COMMAND... - run crashtrace, show what it says and keep it in /disk/N
said() {
	crashtrace "$@" >"$disk/$boot" 2>&1 || {
		cat "$disk/$boot"
		give_up "crashtrace $1"
	}
	cat "$disk/$boot"
}

# survive OPTION... - in two boots
survive() {
	said check -t -S "$state" "$@"
	[ "$boot" -gt 1 ] || reset_now
}

# work - a loop device that is written to, so that the module has calls of its own before the culprit's
work() {
	truncate -s 4M /mnt/img/file
	losetup /dev/loop0 /mnt/img/file || give_up 'no loop device'
	dd if=/dev/zero of=/dev/loop0 bs=64k count=8 conv=fsync 2>/dev/null
}

# bisect OPTION... - halve at every boot
bisect() {
	load_module loop
	if [ "$boot" = 1 ]; then
		said bisect -S "$state" "$@" :mod:loop '*sysrq*'
	else
		crashtrace bisect -S "$state" "$@" >"$disk/result" 2>"$disk/$boot" || {
			cat "$disk/result" "$disk/$boot"
			give_up 'crashtrace bisect'
		}
		cat "$disk/$boot"
		! grep -q ': done after ' "$disk/$boot" || return 0
	fi
	[ "$boot" -lt 15 ] || give_up 'the bisection does not end'
	work
	reset_now
}

say ''
open_disk
boot=$(($(cat "$disk/boot" 2>/dev/null || echo 0) + 1))
say "$boot" >"$disk/boot"
say "boot $boot"
"$@"
close_disk
say 'all done'
