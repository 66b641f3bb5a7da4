#!/bin/sh
# ppc.sh [-l DIR] - the story: a 32-bit big-endian PowerPC board resets without warning; what ran last? TAP
# SPDX-License-Identifier: GPL-2.0-only
#
# QEMU's ppce500 with 256 MB, of which the kernel is given 192 (mem=); the recorder writes above. The board records a
# module under load, is reset by its button and once by sysrq-b, each time boots and dumps, with its own BusyBox and
# helper. Then an amd64 host, this one, dumps the saved images, and must name the same last functions.
# Building the board takes 10 to 20 minutes, once (ppc_build.sh); the rest, a minute or two.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit
# shellcheck source=common.sh
. "$here/common.sh" || exit

cross=powerpc-linux-gnu-

# Where the board's memory ends for its kernel; the region comes right after it.
memory=192M
region=0x0c000000:1M

# put_root ROOT BOARD - what the board boots into, as tests/vm/mkroot.sh makes it for the others
put_root() {
	local applet
	mkdir -p "$1/bb" "$1/bin" "$1/modules" "$1/ft/helper" "$1/tests" "$1/tmp" "$1/run" "$1/mnt/img" \
		"$1/proc" "$1/sys" "$1/dev" || return
	cp "$2/busybox" "$1/bb/busybox" || return
	for applet in $(busybox --list); do
		[ "$applet" = busybox ] || ln -s busybox "$1/bb/$applet"
	done
	ln -sf /bb/busybox "$1/bin/sh"
	cp "$2"/*.ko "$1/modules/" || return
	printf '%s\n' loop dummy >"$1/modules/order"
	cp -RL "$top/bin" "$top/lib" "$1/ft/" && cp -RL "$here" "$1/tests/" || return
	make -s -C "$top/helper" O="$1/ft/helper" CROSS_COMPILE=$cross LDFLAGS=-static helper || return
	cp "$vm/guest/init" "$1/init"
}

# make_board DIR BOARD KIND... - initrd and disk of the board, in DIR
make_board() {
	local dir board
	dir=$1 board=$2
	shift 2
	mkdir -p "$dir/files" && put_root "$dir/root" "$board" || return
	printf 'region=%s\nset -- module %s\n' "$region" "$*" | cat - "$here/guest.sh" >"$dir/root/job"
	(cd "$dir/root" && find . -mindepth 1 | cpio -o -H newc -R 0:0 --quiet) | gzip -1 >"$dir/initrd" || return
	make -s -C "$top/helper/recorder" ARCH=powerpc CROSS_COMPILE=$cross KDIR="$board/linux" OUT="$dir/ftrec" \
		>"$dir/ftrec.log" 2>&1 || return
	cp "$dir/ftrec/ftrec.ko" "$dir/files/" &&
		${cross}gcc -O2 -Wall -static -o "$dir/files/load" "$here/load.c" &&
		mke2fs -q -t ext3 -d "$dir/files" "$dir/disk.img" 96M >/dev/null
}

# board QEMU-ARG... - run the board until it powers itself off; its job's output is in DIR/job.log
board() {
	# --foreground: it dies with us.
	timeout --foreground "$limit" qemu-system-ppc -M ppce500 -accel tcg -display none -monitor none -nic none -m 256 \
		-serial "file:$dir/console.log" -serial "file:$dir/job.log" \
		-append "console=ttyS0 panic=-1 loglevel=5 mem=$memory ft.key=ppc32 ft.mode=job" "$@"
}

# host_dump DIR N - what this host makes of the snapshot that the board took after reset N, with the board's state folder
host_dump() {
	local image
	image=$(sed -n 's|^records .*snapshot .*/\([^ ]*\.img\).*|\1|p' "$1/$2/short")
	[ "$image" ] || return
	"$top/bin/crashtrace" dump -S "$1/host/state" -a "$1/host/state/$image" >"$1/$2/host_all" &&
		"$top/bin/crashtrace" dump -S "$1/host/state" "$1/host/state/$image" >"$1/$2/host_short"
}

# story DIR KIND... - all of it
story() {
	local dir built rc n kind
	dir=$1
	shift
	results=$dir/table limit=1500
	if ! { built=$("$here/ppc_build.sh") && make_board "$dir" "$built" "$@"; }; then
		tap_result 1 'the board is built, with a disk and an initrd'
		return
	fi
	rc=0
	with_button "$dir" board -kernel "$built/vmlinux" -initrd "$dir/initrd" -chardev "pipe,id=qmp,path=$dir/qmp" \
		-mon chardev=qmp,mode=control -drive "file=$dir/disk.img,format=raw,if=virtio" || rc=$?
	tap_is 'the board powers off' "$rc" 0
	tap_is 'its button was pressed as often as asked' "$(seen host-qmp-system-reset "$dir/qmp.log")" \
		"$(printf '%s\n' "$@" | grep -c button)"
	tap_is "no complaint in the kernel's log" "$(grep -E 'WARNING:|BUG:|Oops' "$dir/console.log")" ''
	mkdir -p "$dir/host"
	debugfs -R "rdump /state $dir/host" "$dir/disk.img" >/dev/null 2>&1
	n=0
	for kind; do
		n=$((n + 1))
		# No KASLR here: only a module loaded before the traced one moves it, which the first boot has not.
		case $n in
		1) judge_moved "$dir" ppc32 "$n" "$kind" module ;;
		*) judge "$dir" ppc32 "$n" "$kind" module ;;
		esac
		tap_ok "reset $n: the image is decoded here" host_dump "$dir" "$n"
		tap_ok "reset $n: the board and this host name the same functions" same_records "$dir/$n/all" "$dir/$n/host_all"
		tap_note "$(sed -n '1,/^$/p' "$dir/$n/host_short")"
	done
}

main() {
	local dir
	logs_option "$@"
	"$top/tests/deps.sh" build ppc || exit
	open_logs "$dir"
	{
		story "$logs" button sysrq-b
		tap_done
	} | tee "$logs/tap"
	table "$logs/table"
	tap_total "$logs/tap"
}

main "$@"
