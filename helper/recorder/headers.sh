#!/bin/sh
# headers.sh KEY - fetch Debian's amd64 kernel headers for KEY into the cache; prints the KDIR to build the recorder with
# SPDX-License-Identifier: GPL-2.0-only
#
# KEY is one of tests/vm/kernels, and the headers are those of the kernel that tests/vm/fetch.sh gets for it; but 6.12
# means bookworm-backports, because the tools in trixie's headers do not run on Debian 12. Nothing is installed: the
# packages are unpacked under the cache, and what they expect in /usr/src and /usr/lib is made to point there.
set -u

vmdir=$(cd "$(dirname "$0")/../../tests/vm" && pwd) || exit
# shellcheck source=../../tests/vm/common.sh
. "$vmdir/common.sh" || exit
# shellcheck source=../../tests/vm/apt.sh
. "$vmdir/apt.sh" || exit

# header_packages HEADERS - the packages that linux-headers-RELEASE-amd64 is made of, some named twice
header_packages() {
	local common
	printf '%s\n' "$1"
	apt_depends "$1" | grep -E '^linux-(headers|kbuild)-[0-9]'
	common=$(apt_depends "$1" | grep '^linux-headers-[0-9].*-common') || return
	# Some releases name the tools here, some above.
	apt_depends "$common" | grep '^linux-kbuild-[0-9]'
	return 0
}

# relink ROOT FINAL - make absolute links and the makefiles' paths point below FINAL, where ROOT is going to be
relink() {
	local link to file
	find "$1" -type l | while IFS= read -r link; do
		to=$(readlink "$link")
		case $to in
		/usr/*) ln -sfn "$2$to" "$link" ;;
		esac
	done
	for file in "$1"/usr/src/linux-headers-*/Makefile "$1"/usr/src/linux-headers-*/.kernelvariables; do
		[ ! -f "$file" ] || sed -i "s,\([ =]\)/usr/src/linux,\1$2/usr/src/linux,g" "$file" || return
	done
}

# build FINAL PACKAGE... - download and unpack into FINAL, all or nothing
build() {
	local final work deb rc
	final=$1
	shift
	note "fetching ${final##*/}"
	work=$(mktemp -d "$cache/headers/.new.XXXXXX") || return
	mkdir "$work/debs" "$work/root"
	rc=1
	if apt_download "$work/debs" "$@"; then
		rc=0
		for deb in "$work"/debs/*.deb; do
			dpkg-deb -x "$deb" "$work/root" || rc=1
		done
	fi
	[ "$rc" != 0 ] || { relink "$work/root" "$final" && mv "$work/root" "$final"; } || rc=1
	rm -rf "$work"
	return "$rc"
}

# headers KEY SUITE - print the KDIR of the newest headers; of the last ones that were fetched when there is no mirror
headers() {
	local name final
	name=
	if apt_open "$2" amd64 && name=$(apt_depends linux-headers-amd64 | grep '^linux-headers-[0-9]'); then
		final=$cache/headers/$1-${name#linux-headers-}
		# shellcheck disable=SC2046 # package names: one word each
		[ -d "$final" ] || build "$final" $(header_packages "$name" | sort -u) || return
	else
		# shellcheck disable=SC2012 # our own names
		final=$(ls -td "$cache/headers/$1-"* 2>/dev/null | head -n 1)
		[ "$final" ] || return
		note "no newer headers for $1 to be had; using ${final##*/}"
	fi
	printf '%s\n' "$final"/usr/src/linux-headers-*-amd64
}

[ $# = 1 ] || {
	sed -n '2s/^# /usage: /p' "$0" >&2
	exit 2
}
case $1 in
6.12) suite=bookworm-backports ;;
*) kernel_line "$1" || die "no kernel '$1' in tests/vm/kernels; there are: $(kernel_keys | tr '\n' ' ')" ;;
esac
mkdir -p "$cache/headers" || exit
# The private apt of a suite wants one user at a time; fetch.sh takes the same lock.
exec 9>"$cache/lock.$1" || exit
flock 9
headers "$1" "$suite" || die "cannot get the headers for $1 (suite $suite)"
