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
# shellcheck source=board.sh
. "$here/board.sh" || exit

cross=powerpc-linux-gnu-

# Where the board's memory ends for its kernel; the region comes right after it.
memory=192M
region=0x0c000000:1M

# make_board DIR BOARD KIND... - initrd and disk of the board, in DIR
make_board() {
	local dir board
	dir=$1 board=$2
	shift 2
	mkdir -p "$dir/files" && put_root "$dir/root" "$board/busybox" $cross || return
	cp "$board"/*.ko "$dir/root/modules/" && printf '%s\n' loop dummy >"$dir/root/modules/order" || return
	printf 'region=%s\nset -- module %s\n' "$region" "$*" | cat - "$here/guest.sh" >"$dir/root/job"
	pack_root "$dir/root" "$dir/initrd" || return
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

# story DIR KIND... - all of it
story() {
	local dir built rc
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
	# No KASLR here.
	judge_board "$dir" ppc32 module first "$@"
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
