#!/bin/sh
# s390x_fetch.sh SUITE - fetch what s390x.sh boots: the newest s390x kernel of a Debian suite, and BusyBox; prints their folder
# SPDX-License-Identifier: GPL-2.0-only
#
# The folder, in the cache, is one of tests/vm/fetch.sh with busybox beside. The index of an architecture that is built
# later than others may name packages that are not there yet: then the one before is taken.
set -u

vmdir=$(cd "$(dirname "$0")/../vm" && pwd) || exit
# shellcheck source=../vm/common.sh
. "$vmdir/common.sh" || exit
# shellcheck source=../vm/apt.sh
. "$vmdir/apt.sh" || exit
# shellcheck source=../vm/layout.sh
. "$vmdir/layout.sh" || exit

# images - the packages that hold a kernel, newest first
images() {
	apt_run apt-cache pkgnames linux-image- 2>/dev/null | grep '^linux-image-[0-9].*-s390x$' | sort -rV
}

# parts IMAGE - the packages that hold this kernel: since 7.x linux-image-* holds next to nothing
parts() {
	local version name
	version=${1#linux-image-}
	printf '%s\n' "$1"
	for name in "linux-binary-$version" "linux-modules-$version"; do
		[ ! "$(apt_field "$name" Version)" ] || printf '%s\n' "$name"
	done
}

# download WHERE - the packages, into WHERE/debs; the name of the kernel's in WHERE/image
download() {
	local image
	mkdir -p "$1/debs/root" "$1/modules" && apt_download "$1/debs" busybox-static || return
	for image in $(images); do
		# shellcheck disable=SC2046 # package names: one word each
		apt_download "$1/debs" $(parts "$image") || continue
		printf '%s\n' "$image" >"$1/image"
		return
	done
	return 1
}

# unpack WHERE - out of the packages in WHERE/debs what a guest needs
unpack() {
	local deb
	for deb in "$1"/debs/*.deb; do
		dpkg-deb -x "$deb" "$1/debs/root" || return
	done
	# Two names end so: a hook of another program, and the one in a bin folder.
	cp "$1"/debs/root/usr/bin/busybox "$1/" && lay_out "$1/debs/root" "$1" && rm -rf "$1/debs"
}

main() {
	local suite modules last work where
	suite=$1
	mkdir -p "$cache/kernels" && exec 8>"$cache/lock.s390x" 9>"$cache/lock.$suite" || exit
	flock 8
	flock 9
	modules=$(module_names | hash_of)
	last=$(cat "$cache/kernels/s390x-$suite.last" 2>/dev/null)
	if [ -e "$last/done" ] && [ "${last##*-}" = "$modules" ] && [ "$(find "$cache/kernels/s390x-$suite.last" -mmin -1440)" ]; then
		printf '%s\n' "$last"
		return
	fi
	apt_open "$suite" s390x || exit
	work=$(mktemp -d "$cache/kernels/.new.XXXXXX") || exit
	if download "$work" && unpack "$work"; then
		where=$cache/kernels/s390x-$(sed 's/^linux-image-//' "$work/image")-$modules
		rm -rf "$where"
		: >"$work/done"
		mv "$work" "$where" && printf '%s\n' "$where" | tee "$cache/kernels/s390x-$suite.last"
	elif [ -e "$last/done" ]; then
		rm -rf "$work"
		note "no newer s390x kernel of $suite to be had; using ${last##*/}"
		printf '%s\n' "$last"
	else
		rm -rf "$work"
		die "cannot get an s390x kernel of $suite"
	fi
}

main "$@"
