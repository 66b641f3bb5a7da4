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

# image_packages METAPACKAGE - the packages that hold the image and the modules of the newest kernel, the image first
image_packages() {
	local image
	image=$(apt_depends "$1" | grep '^linux-image-[0-9]' | head -n 1)
	[ "$image" ] || return 1
	printf '%s\n' "$image"
	# From 7.x on linux-image-* holds next to nothing and needs these two.
	apt_depends "$image" | grep -E '^linux-(binary|modules)-[0-9]'
	return 0
}

# find_one FOLDER NAME-GLOB... - the first file below FOLDER with such a name
find_one() {
	local folder name
	folder=$1
	shift
	for name; do
		find "$folder" -type f -name "$name" | grep . | head -n 1 | grep . && return
	done
	return 1
}

# unpack_module FILE FOLDER - decompress a module into FOLDER as NAME.ko, - in its name turned into _ as the kernel does
unpack_module() {
	local base to
	base=${1##*/}
	to=$2/$(printf '%s\n' "${base%%.ko*}" | tr - _).ko
	case $base in
	*.xz) xz -dc "$1" >"$to" ;;
	*.zst) zstd -qdc "$1" >"$to" ;;
	*) cp "$1" "$to" ;;
	esac
}

# add_module NAME UNPACKED FOLDER - NAME and, before it, whatever it needs, into FOLDER; appends to FOLDER/order.
# A name that the kernel has built in, or never had, is passed over.
add_module() {
	local file needed need all
	[ ! -e "$3/$1.ko" ] || return 0
	file=$(find "$2" -name "$(printf '%s\n' "$1" | sed 's/[-_]/[-_]/g').ko*" | head -n 1)
	[ "$file" ] || return 0
	unpack_module "$file" "$3" || return
	needed=$(modinfo -F depends "$3/$1.ko" | tr ',-' ' _')
	# libcrc32c asks the crypto layer for crc32c by name, which no symbol shows.
	[ "$1" != libcrc32c ] || needed="$needed crc32c_generic"
	all=
	for need in $needed; do
		add_module "$need" "$2" "$3" || return
		[ ! -e "$3/$need.ko" ] ||
			all="$all $(awk -v n="$need" '$1 == n { $1 = ""; print $0, n }' "$3/order")"
	done
	# Each once, the first place counts: a module's own needs always stand before it.
	# shellcheck disable=SC2086 # a list of names
	printf '%s\n' $1 $all | awk 'NF && !seen[$1]++ { printf "%s%s", sep, $1; sep = " " } END { print "" }' >>"$3/order"
}

# unpack DEBS INTO - take what a guest needs out of the packages in folder DEBS
unpack() {
	local deb image name
	mkdir -p "$2/modules" "$1/root"
	for deb in "$1"/*.deb; do
		dpkg-deb -x "$deb" "$1/root" || return
	done
	image=$(find_one "$1/root" vmlinuz 'vmlinuz-*') || return
	cp "$image" "$2/vmlinuz" || return
	image=$(find_one "$1/root" config 'config-*') && cp "$image" "$2/config"
	: >"$2/modules/order"
	for name in $(module_names); do
		add_module "$name" "$1/root" "$2/modules" || return
	done
	image=$(find "$1/root" -type d -path '*/lib/modules/*' -name '[0-9]*' | head -n 1)
	printf '%s\n' "${image##*/}" >"$2/release"
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
	mkdir "$work/debs" "$work/kernel"
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
	local key packages version where modules
	key=$1
	modules=$(module_names | hash_of)
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
		# shellcheck disable=SC2086 # package names: one word each
		[ -d "$where" ] || build "$key" "$where" "$version" $packages || where=
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
		kernel_line "$key" || die "no kernel '$key' in tests/vm/kernels; there are: $(kernel_keys | tr '\n' ' ')"
		# apt wants to be alone with its state, and two runs would fetch the same kernel twice.
		exec 9>"$cache/lock.$suite" || exit
		flock 9
		fetch "$key" || die "cannot get a kernel for $key (suite $suite)"
		exec 9>&-
	done
}

main "$@"
