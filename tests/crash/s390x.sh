#!/bin/sh
# s390x.sh [-l DIR] [-o FOLDER] [SUITE...] - a 64-bit big-endian machine resets; its image must decode here as it did there; TAP
# SPDX-License-Identifier: GPL-2.0-only
#
#   -l DIR      logs there (a new folder in $TMPDIR)
#   -o FOLDER   put the fixtures tests/fixtures/s390x-* there, made anew
#
# QEMU's s390-ccw-virtio, Debian's kernels of the SUITEs (trixie: layout A of the ring, testing: layout B; both unless said),
# the ring in a region that reserve_mem= places: no /dev/mem reads that, /proc/kcore does. First guest: arm, work, reset by
# button and by sysrq-b, dump, with its own BusyBox and helper; then this host, amd64, dumps the saved images and must
# print the same records. Second guest: functions, stacks, an event and marks in a small ring; what this host decodes
# must be what that kernel itself printed before the reset.
# It downloads 60 MB a suite, once a month; the rest takes some minutes.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit
# shellcheck source=common.sh
. "$here/common.sh" || exit
# shellcheck source=board.sh
. "$here/board.sh" || exit
# shellcheck source=text.sh
. "$here/text.sh" || exit

cross=s390x-linux-gnu-

# make_machine DIR KERNEL JOB [WORD...] - the initrd, in DIR, of a machine that runs the script JOB with these words
make_machine() {
	local dir kernel job
	dir=$1 kernel=$2 job=$3
	shift 3
	mkdir -p "$dir" && put_root "$dir/root" "$kernel/busybox" $cross || return
	cp "$kernel"/modules/* "$dir/root/modules/" || return
	printf 'set -- %s\n' "$*" | cat - "$job" >"$dir/root/job"
	pack_root "$dir/root" "$dir/initrd"
}

# make_filesystem DIR - the disk of a machine that runs guest.sh
make_filesystem() {
	mkdir -p "$1/files" && ${cross}gcc -O2 -Wall -static -o "$1/files/load" "$here/load.c" &&
		mke2fs -q -t ext3 -d "$1/files" "$1/disk.img" 96M >/dev/null
}

# machine WORDS - run it, with these words for its kernel, until it powers itself off; what its job says is in DIR/job.log
machine() {
	# thread=single as in tests/vm/boot.sh; -cpu max: kernels to come may ask for it; --foreground: it dies with us.
	timeout --foreground "$limit" qemu-system-s390x -M s390-ccw-virtio -accel tcg,thread=single -cpu max -m 512 -smp 2 \
		-display none -monitor none -nic none -serial "file:$dir/console.log" \
		-device virtio-serial-ccw -chardev "file,id=job,path=$dir/job.log" -device virtconsole,chardev=job \
		-kernel "$kernel/vmlinuz" -initrd "$dir/initrd" -drive "file=$dir/disk.img,format=raw,if=virtio" \
		-chardev "pipe,id=qmp,path=$dir/qmp" -mon chardev=qmp,mode=control \
		-append "console=ttysclp0 panic=-1 loglevel=5 ft.key=$key ft.mode=job ft.line=hvc0 $1"
}

# story DIR KERNEL KIND... - arm, reset, dump there and here
story() {
	local dir kernel rc
	dir=$1 kernel=$2
	shift 2
	if ! { make_machine "$dir" "$kernel" "$here/guest.sh" ring-reserve_mem "$@" && make_filesystem "$dir"; }; then
		tap_result 1 "$key: the machine has a disk and an initrd"
		return
	fi
	rc=0
	with_button "$dir" machine "$(words ring "$*" reserve_mem)" || rc=$?
	tap_is "$key: the machine powers off" "$rc" 0
	tap_is "$key: its button was pressed as often as asked" "$(seen host-qmp-system-reset "$dir/qmp.log")" \
		"$(printf '%s\n' "$@" | grep -c button)"
	tap_is "$key: no complaint in the kernel's log" "$(grep -E 'WARNING:|BUG:|Oops' "$dir/console.log")" ''
	judge_board "$dir" "$key" ring every "$@"
}

# decode DIR OPTION... - what this host's helper makes of the small ring's image
decode() {
	local dir
	dir=$1
	shift
	"$top/helper/tracemem" decode --symbols "$dir/kallsyms" --modules "$dir/modules" --old-modules "$dir/modules" \
		--cmdlines "$dir/cmdlines" "$@" "$dir/image"
}

# compare DIR KERNEL - the small ring: the kernel's text, and what is decoded there and here
compare() {
	local dir kernel rc small info
	dir=$1 kernel=$2 small=$1/small rc=0
	if ! { make_machine "$dir" "$kernel" "$here/s390x_guest.sh" && truncate -s 16M "$dir/disk.img"; }; then
		tap_result 1 "$key: the second machine has a disk and an initrd"
		return
	fi
	# Nobody presses, but QEMU's events are kept.
	with_button "$dir" machine 'reserve_mem=128K:4096:small trace_instance=small^traceoff@small' || rc=$?
	tap_is "$key: the second machine powers off" "$rc" 0
	tar -C "$dir" -xf "$dir/disk.img" small 2>/dev/null
	[ -s "$small/image" ] || {
		tap_result 1 "$key: an image"
		return
	}
	info=$("$top/helper/tracemem" info "$small/image")
	tap_is "$key: its image is of a 64-bit big-endian machine" \
		"$(printf '%s\n' "$info" | grep -E '^(word-size|byte-order|taken-on) ')" "taken-on s390x
word-size 8
byte-order big"
	tap_note "$(printf '%s\n' "$info" | grep -E '^(layout|records|kind|cpu) ')"
	kernel_text "$small/before" >"$dir/before"
	decode "$small" --format trace >"$dir/here"
	decoded_text "$dir/here" >"$dir/here.text"
	tap_is "$key: as many records as the kernel said" "$(printf '%s\n' "$info" | sed -n 's/^records //p')" \
		"$(sed -n 's/^# entries-in-buffer.*: \([0-9]*\)\/.*/\1/p' "$small/before")"
	tap_ok "$key: each record as the kernel printed it before the reset" same_text "$dir/here.text" "$dir/before"
	tap_ok "$key: decoded there and here, the same" same_text "$dir/here" "$small/there"
	tap_is "$key: what the next kernel printed is as long" "$(grep -vc '^#' "$small/after")" "$(grep -c . "$dir/before")"
	decode "$small" --format trace.dat -o "$dir/trace.dat"
	kernel_functions "$small/before" >"$dir/functions"
	report_functions "$dir/trace.dat" >"$dir/reported"
	tap_ok "$key: trace-cmd reads the same functions out of the trace.dat" same_text "$dir/reported" "$dir/functions"
}

# used_symbols DIR - of the machine's kallsyms what the image needs, each with its neighbours, or nearest would be easy
used_symbols() {
	local where
	{
		decode "$1" | awk '{ n = $5 == "stack" ? NF : 7; for (i = 6; i <= n; i++) print $i }' | sed 's/[+[].*//'
		printf '%s\n' _text _stext _etext _einittext _end rb_meta_init_text_addr
	} | sort -u >"$1/used"
	for where in -v ''; do
		# shellcheck disable=SC2086 # an option or none
		grep $where '\[' "$1/kallsyms" | sort | awk '
			NR == FNR { used[$1] = 1; next }
			$2 ~ /[tTwW]/ || $3 in used {
				if ($3 in used) { if (!kept && line) print line; print; kept = 2 }
				else if (kept == 2) { print; kept = 1 }
				else kept = 0
				line = $0
			}' "$1/used" -
	done
}

# keep DIR FOLDER - the fixtures; a or b in their names: the layout
keep() {
	local to
	to=$2/s390x-$("$top/helper/tracemem" info "$1/image" | sed -n 's/^layout ring-//p')
	gzip -9nc "$1/image" >"$to.img.gz" && gzip -9nc "$1/before" >"$to.trace.gz" &&
		used_symbols "$1" >"$to.kallsyms" && grep '^loop ' "$1/modules" >"$to.modules" &&
		cp "$1/cmdlines" "$to.cmdlines"
}

# suite NAME - all of it on that suite's kernel
suite() {
	local kernel key
	kernel=$("$here/s390x_fetch.sh" "$1") || {
		tap_result 1 "$1: a kernel"
		return
	}
	key=s390x-$(cut -d . -f 1,2 "$kernel/release")
	tap_note "$key: $(cat "$kernel/release")"
	case $key in
	s390x-7.2) tap_skip "$key: arm, reset, dump" "this kernel's ext4 oopses at its first mkdir in QEMU" ;;
	*) story "$logs/$1" "$kernel" button sysrq-b ;;
	esac
	compare "$logs/$1-small" "$kernel"
	[ ! "$folder" ] || tap_ok "$key: the fixtures are kept" keep "$logs/$1-small/small" "$folder"
}

main() {
	local opt dir folder name
	dir='' folder=''
	while getopts hl:o: opt; do
		case $opt in
		l) dir=$OPTARG ;;
		o) folder=$OPTARG ;;
		*) sed -n '2s/^# //p' "$0" && exit 2 ;;
		esac
	done
	shift $((OPTIND - 1))
	[ $# -gt 0 ] || set -- trixie testing
	"$top/tests/deps.sh" s390x || exit
	open_logs "$dir"
	limit=1200 results=$logs/table
	{
		for name; do
			suite "$name"
		done
		tap_done
	} | tee "$logs/tap"
	table "$logs/table"
	tap_total "$logs/tap"
}

main "$@"
