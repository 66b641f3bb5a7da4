# shellcheck shell=sh
# layout.sh - part of fetch.sh and build.sh: the folder of a kernel out of an installed tree; source it after common.sh
# SPDX-License-Identifier: GPL-2.0-only

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

# lay_out ROOT INTO - take what a guest needs out of the tree ROOT: vmlinuz-*, config-*, lib/modules
lay_out() {
	local image name
	mkdir -p "$2/modules"
	image=$(find_one "$1" vmlinuz 'vmlinuz-*') || return
	cp "$image" "$2/vmlinuz" || return
	image=$(find_one "$1" config 'config-*') && cp "$image" "$2/config"
	: >"$2/modules/order"
	for name in $(module_names); do
		add_module "$name" "$1" "$2/modules" || return
	done
	image=$(find "$1" -type d -path '*/lib/modules/*' -name '[0-9]*' | head -n 1)
	printf '%s\n' "${image##*/}" >"$2/release"
}
