# shellcheck shell=sh
# guest.sh BACKEND KIND... - run at every boot of one guest: arm, work, reset as KIND says; dump at the next boot
# SPDX-License-Identifier: GPL-2.0-only
#
# BACKEND is ring, pstore or module, with the recorder's memory type behind it: module-wc; ring-reserve_mem is another way to
# have the region. The guest resets once for each KIND (button: the host presses it), and ends after the dump
# of the last one; with "save" as the last word, after it has also saved the region in /disk/saved. What it must remember
# lies on a disk, /disk: the number of the cycle, crashtrace's state folder, and for the host, in /disk/N, what it got
# out of cycle N. On the serial line, for the host:
#
#	armed N KIND		from here on the trace is recording; "seq W." follows, see load.c
#	reset N			the boot after it
#	moved N WHAT OLD NEW	an address before and after the reset
#	failed TEXT		the guest gives up

# shellcheck source=guest_lib.sh
. /tests/crash/guest_lib.sh

loop=/dev/loop0

# addresses - lines WHAT ADDRESS: the kernel's text and the traced module
addresses() {
	awk '$3 == "_text" { print "_text", $1; exit }' /proc/kallsyms
	awk '$1 == "loop" { print "loop", $6 }' /proc/modules
}

# moved N - say where things were when cycle N was armed, and where they are now
moved() {
	addresses >/tmp/now
	awk -v n="$1" '
	{ sub(/^0x/, "", $2) }
	FNR == NR { old[$1] = $2 }
	FNR != NR { print "moved", n, $1, old[$1], $2 }' "$disk/$1/addresses" /tmp/now
}

# loop_under_load - a loop device in use by another process than the witness
loop_under_load() {
	load_module loop
	truncate -s 16M /mnt/img/file
	losetup "$loop" /mnt/img/file || give_up 'no loop device'
}

# background - writes that run beside the witness's operations
background() {
	while :; do
		dd if=/dev/zero of="$loop" bs=64k count=20 seek=80 conv=notrunc,fsync 2>/dev/null
		sleep 0.2
	done
}

# arm - start recording every function of the module
arm() {
	case $backend in
	ring*) set -- ;;
	pstore) set -- -b pstore ;;
	module) set -- -b module -k "$disk/ftrec.ko" -r "$region" ;;
	module-*) set -- -b module -k "$disk/ftrec.ko" -r "$region" -m "${backend#module-}" ;;
	esac
	crashtrace arm -S "$state" "$@" :mod:loop >/tmp/arm 2>&1 || {
		cat /tmp/arm
		give_up 'crashtrace arm'
	}
}

# after_reset N - the boot after cycle N. Other modules first, so that addresses move in more than KASLR's way; the
# traced one is not there yet in odd cycles, as when a dump is the first thing a boot does.
after_reset() {
	say "reset $1"
	load_module dummy
	[ $(($1 % 2)) = 1 ] || load_module xfs
	[ $(($1 % 2)) = 1 ] || load_module loop
	dump "$1"
	load_module loop
	moved "$1"
}

# random_wait - up to four seconds, from none
random_wait() {
	sleep "$(od -An -N2 -tu2 /dev/urandom | awk '{ printf "%.3f", $1 / 16384 }')"
}

# reset_soon KIND - reset this machine at a random moment after the first operations
reset_soon() {
	until [ -e /tmp/ready ]; do
		sleep 0.1
	done
	random_wait
	case $1 in
	sysrq-c) echo c >/proc/sysrq-trigger ;;
	# With reboot=t on the command line this is a triple fault.
	sysrq-b | triple) restart ;;
	esac
}

# cycle N KIND - arm and work until the reset
cycle() {
	loop_under_load
	mkdir -p "$disk/$1"
	addresses >"$disk/$1/addresses"
	# For the host, which has to know the right names: functions of the module, callers anywhere.
	grep '\[loop\]' /sys/kernel/tracing/available_filter_functions | sed 's/ .*//' >"$disk/$1/functions"
	say "$1" >"$disk/cycle"
	arm
	cp "$disk/load" /tmp/load
	# The disk stays mounted, as it would be.
	sync
	say "armed $1 $2"
	background &
	[ "$2" = button ] || reset_soon "$2" &
	/tmp/load "$loop" /tmp/ready
	give_up "load ended with status $?"
}

main() {
	local n
	backend=$1
	shift
	say ''
	open_disk
	n=$(cat "$disk/cycle" 2>/dev/null) || n=0
	[ "$n" -eq 0 ] || after_reset "$n"
	shift "$n"
	case ${1-} in
	'') ;;
	save) crashtrace save -S "$state" "$disk/saved" || give_up 'crashtrace save' ;;
	*) cycle $((n + 1)) "$1" ;;
	esac
	close_disk
	say 'all done'
}

main "$@"
