# shellcheck shell=sh
# old.sh - part of fetch.sh and run.sh: kernels that no suite has any more, and that somebody has built; source it after common.sh
# SPDX-License-Identifier: GPL-2.0-only

# old_image KEY - print the image of an old kernel, after kernel_line; 1 when there is none, and then print why
old_image() {
	local image
	image=$(printenv "$suite") || {
		echo "$suite is not set"
		return 1
	}
	[ ! -d "$image" ] || image=$image/$1/bzImage
	[ -r "$image" ] || {
		echo "no $image"
		return 1
	}
	printf '%s\n' "$image"
}

# old_lay_out IMAGE INTO - what a guest needs, from beside the image: modules, config, a BusyBox for a kernel that this
# machine's libc is too new for
old_lay_out() {
	local from file name
	from=${1%/*}
	mkdir -p "$2/modules" && cp "$1" "$2/vmlinuz" || return
	[ ! -e "$from/config" ] || cp "$from/config" "$2/config" || return
	: >"$2/modules/order"
	for file in "$from"/*.ko; do
		[ -e "$file" ] || continue
		name=${file##*/}
		add_module "${name%.ko}" "$from" "$2/modules" || return
	done
	[ ! -x "$from/busybox" ] || cp "$from/busybox" "$2/busybox"
}

# old_fetch KEY - print the folder of an old kernel, laid out in the cache, anew when one of its files is another
old_fetch() {
	local image where work
	image=$(old_image "$1") || {
		note "$1: $image"
		return 1
	}
	where=$cache/kernels/$1-$({ ls -lL "${image%/*}" && cat "$vmdir/old.sh"; } | hash_of)
	if [ ! -d "$where" ]; then
		work=$(mktemp -d "$cache/kernels/.new.XXXXXX") || return
		old_lay_out "$image" "$work/kernel" && mv "$work/kernel" "$where" || where=
		rm -rf "$work"
	fi
	printf '%s\n' "$where" | grep .
}
