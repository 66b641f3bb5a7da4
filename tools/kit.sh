#!/bin/sh
# kit.sh ARCH [FOLDER] - FOLDER/fieldtrace-ARCH.tar.gz (FOLDER: build): commands, static tracemem, examples, pages as text
# SPDX-License-Identifier: GPL-2.0-only
#
# ARCH: amd64, arm64, armhf, ppc or mips (both 32-bit, big endian), built with Debian's compilers and musl. To be unpacked
# anywhere on a target; fieldtrace/bin/COMMAND works there, lib/ beside it, with BusyBox alone.
set -u

top=$(cd "$(dirname "$0")/.." && pwd) || exit
cd "$top" || exit

usage() {
	echo 'usage: kit.sh amd64|arm64|armhf|ppc|mips [FOLDER]   (make kit ARCH=...)' >&2
	exit 2
}

# cross_of ARCH - $cross: the prefix of its compiler; empty for a machine's own
cross_of() {
	case $1 in
	amd64) cross=x86_64-linux-gnu- ;;
	arm64) cross=aarch64-linux-gnu- ;;
	armhf) cross=arm-linux-gnueabihf- ;;
	ppc) cross=powerpc-linux-gnu- ;;
	mips) cross=mips-linux-gnu- ;;
	*) usage ;;
	esac
	if [ "$(uname -m)" = x86_64 ] && [ "$1" = amd64 ]; then cross=''; fi
}

# helper - tracemem-static in $work; only amd64 is held to the helper's own limit, other code is larger
helper() {
	local musl=musl-gcc limit=131072 flags=''

	if [ -n "$cross" ]; then
		musl=$(tools/musl.sh "$cross") || return
	fi
	if [ "$arch" = ppc ]; then flags=-mlong-double-64; fi # as musl was built
	if [ "$arch" = amd64 ]; then limit=98304; fi
	make -s -C helper helper-static O="$work" CROSS_COMPILE="$cross" MUSL_CC="$musl" CPPFLAGS="$flags" STATIC_MAX="$limit" >&2
}

# texts - what is read on the target, where there is no man
texts() {
	local page

	mkdir "$kit/doc" && cp README.md LICENSE "$kit/doc/" && cp -R examples "$kit/" && rm -rf "$kit/examples/packaging" || return
	for page in man/*.[0-9]; do
		mandoc -T ascii "$page" | sed -e "s/_$(printf '\b')//g" -e "s/.$(printf '\b')//g" >"$kit/doc/${page##*/}.txt" || return
	done
}

arch=${1:-}
out=${2:-build}
cross_of "$arch"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
for tool in "${cross}gcc" "${cross}strip" mandoc; do
	command -v "$tool" >/dev/null || {
		echo "kit.sh: $tool is not here. First: tests/deps.sh kit" >&2
		exit 1
	}
done
umask 022
kit=$work/fieldtrace
mkdir -p "$out" "$kit" && helper && cp -R bin lib "$kit/" && cp "$work/tracemem-static" "$kit/lib/tracemem" && texts || exit
# The same sources make the same archive.
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@"${SOURCE_DATE_EPOCH:-0}" --mode=u=rwX,go=rX -cf - fieldtrace |
	gzip -9n >"$out/fieldtrace-$arch.tar.gz" || exit
printf '%s: %s bytes; unpacked %s, of these commands, library and tracemem %s\n' "$out/fieldtrace-$arch.tar.gz" \
	"$(wc -c <"$out/fieldtrace-$arch.tar.gz")" "$(find "$kit" -type f -exec cat {} + | wc -c)" \
	"$(find "$kit/bin" "$kit/lib" -type f -exec cat {} + | wc -c)"
