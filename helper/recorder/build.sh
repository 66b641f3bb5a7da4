#!/bin/sh
# build.sh KEY DIR - build the recorder module for the kernel KEY of tests/vm/kernels below DIR; prints its file
# SPDX-License-Identifier: GPL-2.0-only
#
# With this machine's compiler. Where the kernel was built with a newer one, and its headers want that, in a root of the
# kernel's own Debian release, which debootstrap makes in the cache, once; that needs root.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit
vmdir=${here%/helper/recorder}/tests/vm
# shellcheck source=../../tests/vm/common.sh
. "$vmdir/common.sh" || exit
# shellcheck source=../../tests/vm/apt.sh
. "$vmdir/apt.sh" || exit

# wants KDIR - the major version of the gcc that the kernel of these headers was built with
wants() {
	sed -n 's/^CONFIG_GCC_VERSION=\([0-9]*\)[0-9]\{4\}$/\1/p' "$1/.config"
}

# release_root RELEASE - a root of that Debian release with a compiler -> $root
release_root() {
	root=$cache/chroot/$1
	[ ! -d "$root" ] || return 0
	command -v debootstrap >/dev/null || die "debootstrap is missing here: run tests/deps.sh build"
	[ "$(id -u)" = 0 ] || die "only root can make a root of $1 for its compiler"
	note "making a root of $1 for its compiler"
	rm -rf "$root.new"
	mkdir -p "$root.new" || return
	if ! debootstrap --variant=minbase --include=gcc,make,libelf1t64 "$1" "$root.new" "$(apt_archives | head -n 1)" >"$root.log" 2>&1; then
		tail -n 5 "$root.log" >&2
		return 1
	fi
	mv "$root.new" "$root"
}

# build_in ROOT KDIR DIR - the same in another root, with a mount namespace of its own: nothing is left mounted
build_in() {
	unshare --mount sh -e -c '
		root=$1 kdir=$2 source=$3 out=$4
		mount --make-rprivate /
		mount -t proc proc "$root/proc"
		for dir in "${kdir%/usr/src/*}" "$source" "$out"; do
			mkdir -p "$root$dir"
			mount --bind "$dir" "$root$dir"
		done
		exec chroot "$root" make -s -C "$source/recorder" KDIR="$kdir" OUT="$out"
	' sh "$1" "$2" "${here%/recorder}" "$3"
}

# build KEY DIR
build() {
	local kdir version
	kdir=$("$here/headers.sh" "$1") || return
	version=$(wants "$kdir")
	if [ "$(gcc -dumpversion)" -ge "${version:-0}" ]; then
		make -s -C "$here" KDIR="$kdir" OUT="$2"
		return
	fi
	kernel_line "$1" || return
	exec 9>"$cache/lock.chroot" || return
	flock 9
	release_root "${suite%%-*}" && build_in "$root" "$kdir" "$2"
}

[ $# = 2 ] || {
	sed -n '2s/^# /usage: /p' "$0" >&2
	exit 2
}
mkdir -p "$2" "$cache" && out=$(cd "$2" && pwd) || exit
if ! build "$1" "$out" >"$out.log" 2>&1; then
	cat "$out.log" >&2
	die "the recorder cannot be built for $1"
fi
printf '%s\n' "$out/ftrec.ko"
