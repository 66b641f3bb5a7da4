#!/bin/sh
# musl.sh PREFIX - musl libc for one of Debian's cross compilers (PREFIX: aarch64-linux-gnu-); prints its compiler's path
# SPDX-License-Identifier: GPL-2.0-only
#
# Debian packages musl for its own architectures only, and a program that is linked to glibc statically is ten times the
# size. So Debian's source of it is fetched and built once, static library only, into the cache (FIELDTRACE_CACHE).
set -u

vmdir=$(cd "$(dirname "$0")/../tests/vm" && pwd) || exit
# shellcheck source=../tests/vm/common.sh
. "$vmdir/common.sh" || exit
# shellcheck source=../tests/vm/apt.sh
. "$vmdir/apt.sh" || exit

# source_dir - the unpacked source, fetched if need be
source_dir() {
	local dir

	if [ ! -d "$cache/musl/source" ]; then
		note 'fetching the source of musl'
		rm -rf "$cache/musl/new"
		mkdir -p "$cache/musl/new" || return
		apt_source stable "$cache/musl/new" musl || return
		mv "$cache/musl/new" "$cache/musl/source" || return
	fi
	for dir in "$cache"/musl/source/musl-*/; do printf '%s\n' "${dir%/}"; done
}

# build SOURCE - into $to, whole or not at all
build() {
	local work="$to.build" flags='-Os'

	# The compiler's own long double, two doubles side by side, is not musl's.
	case $cross in
	powerpc-*) flags="$flags -mlong-double-64" ;;
	esac

	note "building musl with ${cross}gcc"
	rm -rf "$work" && mkdir "$work" && cd "$work" || return
	CC=${cross}gcc CFLAGS=$flags CROSS_COMPILE=$cross "$1/configure" --target="${cross%-}" --prefix="$to" --disable-shared \
		--enable-wrapper=gcc >"$to.log" 2>&1 &&
		make -j "$(nproc)" >>"$to.log" 2>&1 &&
		make install >>"$to.log" 2>&1 &&
		: >"$to/done" && rm -rf "$work" && return
	tail -n 3 "$to.log" >&2
	return 1
}

# "make kit ARCH=..." hands its variables down, and musl's own makefile has an ARCH, too.
unset MAKEFLAGS MFLAGS ARCH
cross=${1:-}
case $cross in
*-) ;;
*) die 'name the prefix of a compiler, like aarch64-linux-gnu-' ;;
esac
command -v "${cross}gcc" >/dev/null || die "${cross}gcc is not installed (tests/deps.sh kit)"
to=$cache/musl/${cross%-}
mkdir -p "$cache/musl"
exec 9>"$cache/musl/lock"
flock 9
if [ ! -e "$to/done" ]; then
	source=$(source_dir) || die 'no source of musl'
	build "$source" || die "musl does not build: see $to.log"
fi
printf '%s\n' "$to/bin/musl-gcc"
