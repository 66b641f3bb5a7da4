# shellcheck shell=sh
# board.sh - what ppc.sh and s390x.sh share: a machine of another architecture; source it after common.sh
# SPDX-License-Identifier: GPL-2.0-only

# put_root ROOT BUSYBOX CROSS - what the machine boots into, as tests/vm/mkroot.sh makes it for the others; the helper is
# built with the compiler CROSSgcc. The modules are the caller's.
put_root() {
	local applet
	# shellcheck disable=SC2154 # of common.sh, as $here and $vm
	mkdir -p "$1/bb" "$1/bin" "$1/modules" "$1/ft/helper" "$1/tests" "$1/tmp" "$1/run" "$1/mnt/img" \
		"$1/proc" "$1/sys" "$1/dev" || return
	cp "$2" "$1/bb/busybox" || return
	for applet in $(busybox --list); do
		[ "$applet" = busybox ] || ln -s busybox "$1/bb/$applet"
	done
	ln -sf /bb/busybox "$1/bin/sh"
	# shellcheck disable=SC2154
	cp -RL "$top/bin" "$top/lib" "$1/ft/" && cp -RL "$here" "$1/tests/" || return
	make -s -C "$top/helper" O="$1/ft/helper" CROSS_COMPILE="$3" LDFLAGS=-static helper || return
	# shellcheck disable=SC2154
	cp "$vm/guest/init" "$1/init"
}

# pack_root ROOT OUT - the folder as an initrd
pack_root() {
	(cd "$1" && find . -mindepth 1 | cpio -o -H newc -R 0:0 --quiet) | gzip -1 >"$2"
}

# host_dump DIR N - what this host makes of the snapshot that the machine took after reset N, with its state folder
host_dump() {
	local image
	image=$(sed -n 's|^records .*snapshot .*/\([^ ]*\.img\).*|\1|p' "$1/$2/short")
	[ "$image" ] || return
	"$top/bin/crashtrace" dump -S "$1/host/state" -a "$1/host/state/$image" >"$1/$2/host_all" &&
		"$top/bin/crashtrace" dump -S "$1/host/state" "$1/host/state/$image" >"$1/$2/host_short"
}

# judge_board DIR KEY HOW MOVES KIND... - each reset by the witness, and this host's dump by the machine's own. MOVES: whether
# addresses are others after "every" reset, or only after the "first" (without KASLR: a module loaded before the traced one).
judge_board() {
	local dir key how moves n kind
	dir=$1 key=$2 how=$3 moves=$4
	shift 4
	mkdir -p "$dir/host"
	debugfs -R "rdump /state $dir/host" "$dir/disk.img" >/dev/null 2>&1
	n=0
	for kind; do
		n=$((n + 1))
		case $moves$n in
		every* | first1) judge_moved "$dir" "$key" "$n" "$kind" "$how" ;;
		*) judge "$dir" "$key" "$n" "$kind" "$how" ;;
		esac
		tap_ok "$key, reset $n: the image is decoded here" host_dump "$dir" "$n"
		tap_ok "$key, reset $n: the machine and this host name the same functions" same_records "$dir/$n/all" "$dir/$n/host_all"
		tap_note "$(sed -n '1,/^$/p' "$dir/$n/host_short")"
	done
}
