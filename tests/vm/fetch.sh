#!/bin/sh
# fetch.sh KEY... - fetch the newest kernel of each KEY of tests/vm/kernels; prints the folder of each, one a line
# SPDX-License-Identifier: GPL-2.0-only
#
# The folder holds vmlinuz, config, version (package version), release (uname -r), modules/NAME.ko and modules/order,
# whose lines are "NAME NEEDED-FIRST..." in the order to load. Nothing is asked of the network while the last look is
# younger than a day. Safe when run twice at once.
set -u

vmdir=$(cd "$(dirname "$0")" && pwd) || exit
# shellcheck source=common.sh
. "$vmdir/common.sh" || exit
# shellcheck source=apt.sh
. "$vmdir/apt.sh" || exit
# shellcheck source=layout.sh
. "$vmdir/layout.sh" || exit
# shellcheck source=source.sh
. "$vmdir/source.sh" || exit
# shellcheck source=old.sh
. "$vmdir/old.sh" || exit

# image_packages METAPACKAGE - the packages that hold the image and the modules of the newest kernel, the image first; or its source
image_packages() {
	local image
	if [ "$1" = linux-source ]; then
		apt_depends "$1" | grep '^linux-source-[0-9]' | head -n 1 | grep .
		return
	fi
	image=$(apt_depends "$1" | grep '^linux-image-[0-9]' | head -n 1)
	[ "$image" ] || return 1
	printf '%s\n' "$image"
	# From 7.x on linux-image-* holds next to nothing and needs these two.
	apt_depends "$image" | grep -E '^linux-(binary|modules)-[0-9]'
	return 0
}

# unpack DEBS INTO - take what a guest needs out of the packages in folder DEBS
unpack() {
	local deb
	for deb in "$1"/*.deb; do
		dpkg-deb -x "$deb" "$1/root" || return
	done
	lay_out "$1/root" "$2"
}

# build KEY WHERE VERSION PACKAGE... - download and unpack into WHERE, all or nothing
build() {
	local key where version work rc
	key=$1 where=$2 version=$3
	shift 3
	note "fetching kernel $version for $key"
	# What runs that were interrupted left, and kernels that have had a month of successors.
	find "$cache/kernels" -mindepth 1 -maxdepth 1 -type d \( -name '.new.*' -mmin +120 -o -mtime +30 \) \
		-exec rm -rf {} +
	work=$(mktemp -d "$cache/kernels/.new.XXXXXX") || return
	mkdir -p "$work/debs/root" "$work/kernel"
	rc=0
	{
		apt_download "$work/debs" "$@" &&
			note "unpacking kernel $version" &&
			unpack "$work/debs" "$work/kernel" &&
			printf '%s\n' "$version" >"$work/kernel/version" &&
			mv "$work/kernel" "$where"
	} || rc=1
	rm -rf "$work"
	return "$rc"
}

# fetch KEY - print the folder of the newest kernel; the last one of this key when it cannot be looked up
fetch() {
	local key packages version where modules build
	key=$1
	modules=$({
		module_names
		[ "$package" != linux-source ] || cat "$vmdir/built.config"
	} | hash_of)
	where=$(cat "$cache/kernels/$key.last" 2>/dev/null)
	if [ -d "$where" ] && [ "${where##*-}" = "$modules" ] &&
		[ "$(find "$cache/kernels/$key.last" -mmin -1440)" ]; then
		printf '%s\n' "$where"
		return
	fi
	if apt_open "$suite" amd64 && packages=$(image_packages "$package"); then
		version=$(apt_field "${packages%%
*}" Version)
		where=$cache/kernels/$key-$version-$modules
		build=build
		[ "$package" != linux-source ] || build=build_source
		# shellcheck disable=SC2086 # package names: one word each
		[ -d "$where" ] || "$build" "$key" "$where" "$version" $packages || where=
	else
		where=
	fi
	if [ "$where" ]; then
		# Not when the index could not be refreshed: the next run shall look again.
		[ "$apt_stale" ] || printf '%s\n' "$where" >"$cache/kernels/$key.last"
	else
		where=$(cat "$cache/kernels/$key.last" 2>/dev/null)
		[ -d "$where" ] || return 1
		note "no newer kernel for $key to be had; using ${where##*/}"
	fi
	printf '%s\n' "$where"
}

main() {
	local key
	mkdir -p "$cache/kernels" || exit
	for key; do
		kernel_line "$key" || die "no kernel '$key' in tests/vm/kernels; there are: $(kernel_keys old linux-source | tr '\n' ' ')"
		# apt wants to be alone with its state, and two runs would fetch the same kernel twice.
		exec 9>"$cache/lock.$suite" || exit
		flock 9
		if [ "$package" = old ]; then
			old_fetch "$key" || die "no kernel for $key: see 'Old kernels' in tests/vm/README.md"
		else
			fetch "$key" || die "cannot get a kernel for $key (suite $suite)"
		fi
		exec 9>&-
	done
}

main "$@"
