#!/bin/sh
# ppc_build.sh - build the board of ppc.sh: a 32-bit PowerPC kernel, BusyBox, the recorder; prints their folder
# SPDX-License-Identifier: GPL-2.0-only
#
# Debian has no binaries for big-endian PowerPC, but a cross compiler and the sources: the newest 6.1 with ppc32.config,
# and BusyBox. Both are kept in the cache and built once, in 10 to 20 minutes. The folder holds vmlinux, busybox,
# the modules and linux/, the tree it was built in, which the recorder needs (1.5 GB).
set -u

vmdir=$(cd "$(dirname "$0")/../vm" && pwd) || exit
# shellcheck source=../vm/common.sh
. "$vmdir/common.sh" || exit
# shellcheck source=../vm/apt.sh
. "$vmdir/apt.sh" || exit

here=$top/tests/crash
cross=powerpc-linux-gnu-
jobs=${JOBS:-2}

# configure - a .config for the kernel in the folder we are in
configure() {
	make -s ARCH=powerpc CROSS_COMPILE=$cross tinyconfig &&
		cat "$here/ppc32.config" >>.config &&
		make -s ARCH=powerpc CROSS_COMPILE=$cross olddefconfig &&
		grep -q '^CONFIG_DYNAMIC_FTRACE=y' .config && grep -q '^CONFIG_PPC_QEMU_E500=y' .config
}

# download WHERE - both sources, packed, in WHERE/src
download() {
	rm -rf "$1"
	mkdir -p "$1/src" && apt_download "$1/src" linux-source-6.1 &&
		apt_source bookworm "$1/src" busybox --download-only
}

# build_kernel WHERE - unpack, configure and build in WHERE/linux
build_kernel() {
	mkdir "$1/linux" && dpkg-deb -x "$1"/src/linux-source-*.deb "$1/src" &&
		tar -C "$1/linux" --strip-components=1 -xJf "$1"/src/usr/src/linux-source-6.1.tar.xz || return
	(
		cd "$1/linux" && configure && make -s -j"$jobs" ARCH=powerpc CROSS_COMPILE=$cross vmlinux modules
	) || return
	cp "$1/linux/vmlinux" "$1/linux/drivers/block/loop.ko" "$1/linux/drivers/net/dummy.ko" "$1/"
}

# build_busybox WHERE - a static BusyBox; tc wants kernel headers of its own age
build_busybox() {
	mkdir "$1/bb" && tar -C "$1/bb" --strip-components=1 -xjf "$1"/src/busybox_*.orig.tar.bz2 || return
	(
		cd "$1/bb" && make -s ARCH=powerpc CROSS_COMPILE=$cross defconfig &&
			sed -i 's/^# CONFIG_STATIC is.*/CONFIG_STATIC=y/; s/^CONFIG_TC=y/# CONFIG_TC is not set/' .config &&
			yes '' | make -s ARCH=powerpc CROSS_COMPILE=$cross oldconfig >/dev/null &&
			make -s -j"$jobs" ARCH=powerpc CROSS_COMPILE=$cross busybox
	) || return
	cp "$1/bb/busybox" "$1/"
}

main() {
	local version where
	mkdir -p "$cache" && exec 8>"$cache/lock.ppc32" 9>"$cache/lock.bookworm" || exit
	flock 8
	flock 9
	apt_open bookworm amd64 || exit
	version=$(apt_field linux-source-6.1 Version)
	where=$cache/ppc32-$version-$(grep CONFIG_ "$here/ppc32.config" | hash_of)
	if [ ! -e "$where/done" ]; then
		# What older kernels left.
		find "$cache" -mindepth 1 -maxdepth 1 -name 'ppc32-*' ! -name "${where##*/}*" -mtime +30 -exec rm -rf {} +
		note "building the board in $where, once; see $where.log"
		download "$where" || die 'cannot download the sources'
		# The other users of that apt need not wait for the building.
		exec 9>&-
		# The tree stays where it was built: its files name each other by full paths.
		{
			build_busybox "$where" && build_kernel "$where" && rm -rf "$where/src" "$where/bb" && : >"$where/done"
		} >"$where.log" 2>&1 || die "cannot build the board; see $where.log"
	fi
	printf '%s\n' "$where"
}

main "$@"
