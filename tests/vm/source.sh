# shellcheck shell=sh
# source.sh - part of fetch.sh: a kernel of our own, built once from Debian's source with built.config
# SPDX-License-Identifier: GPL-2.0-only
#
# It has what Debian's kernels leave out: the function profiler, return values in graphs, the latency tracers, pstore's
# ftrace. tinyconfig and that fragment, so it is built in a quarter of an hour on two idle cores.

# source_configure CONFIG - a .config for the tree we are in; fails when an option of CONFIG did not come to stay
source_configure() {
	make -s tinyconfig && cat "$1" >>.config && make -s olddefconfig || return
	grep '^CONFIG_' "$1" | while read -r option; do
		grep -qx "$option" .config || {
			echo "not to be had: $option"
			return 1
		}
	done
}

# source_make TREE ROOT CONFIG - build in TREE, install into ROOT as a package would
source_make() {
	(
		cd "$1" && source_configure "$3" && make -s -j"${JOBS:-2}" bzImage modules &&
			make -s INSTALL_MOD_PATH="$2" INSTALL_MOD_STRIP=1 modules_install || exit
		release=$(make -s kernelrelease) || exit
		cp arch/x86/boot/bzImage "$2/vmlinuz-$release" && cp .config "$2/config-$release"
	)
}

# build_source KEY WHERE VERSION PACKAGE - download, build and lay out into WHERE, all or nothing
build_source() {
	local key where version package work rc
	key=$1 where=$2 version=$3 package=$4
	work=$(mktemp -d "$cache/kernels/.new.XXXXXX") || return
	mkdir -p "$work/debs" "$work/tree" "$work/root" "$work/kernel"
	apt_download "$work/debs" "$package" || {
		rm -rf "$work"
		return 1
	}
	# The other users of that apt need not wait for the building.
	exec 9>"$cache/lock.$key" || return
	flock 9
	[ ! -d "$where" ] || {
		rm -rf "$work"
		return 0
	}
	note "building kernel $version for $key, once; see $where.log"
	rc=0
	{
		dpkg-deb -x "$work/debs"/*.deb "$work/debs" &&
			tar -C "$work/tree" --strip-components=1 -xJf "$work/debs/usr/src/$package.tar.xz" &&
			source_make "$work/tree" "$work/root" "$vmdir/built.config" >"$where.log" 2>&1 &&
			lay_out "$work/root" "$work/kernel" &&
			printf '%s\n' "$version" >"$work/kernel/version" &&
			mv "$work/kernel" "$where"
	} || rc=1
	rm -rf "$work"
	return "$rc"
}
