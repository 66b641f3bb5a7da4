# shellcheck shell=sh
# common.sh - what the host scripts of tests/vm share; they set $vmdir (this folder) and source it
# SPDX-License-Identifier: GPL-2.0-only

# The checkout, and where downloads and built guests are kept: never inside the checkout.
# shellcheck disable=SC2034 # used by those who source this
top=${vmdir%/tests/vm}
cache=${FIELDTRACE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/fieldtrace}

# mkfs.xfs and modinfo live in sbin, which a user's PATH may lack.
PATH=$PATH:/usr/sbin:/sbin

# note TEXT - a progress line
note() {
	printf 'vm: %s\n' "$1" >&2
}

# die TEXT - give up
die() {
	printf 'vm: %s\n' "$1" >&2
	exit 1
}

# kernel_line KEY - set $suite and $package from the table; fails when it has no such key
kernel_line() {
	local key
	while read -r key suite package; do
		[ "$key" != "$1" ] || return 0
	done <"$vmdir/kernels"
	return 1
}

# machine_line KEY - set $machine, $cpu and $panic from the table machines; a KEY that the table kernels lacks is as most are
machine_line() {
	local of
	kernel_line "$1" || package=
	while read -r of machine cpu panic; do
		case $of in
		"$package" | '*') return 0 ;;
		esac
	done <"$vmdir/machines"
}

# kernel_keys [old] [linux-source] - the keys of the table, oldest first: of the kernels that are fetched, and of these classes
kernel_keys() {
	awk -v more=" $* " '!/^#/ && NF == 3 && ($3 !~ /^(old|linux-source)$/ || index(more, " " $3 " ")) { print $1 }' \
		"$vmdir/kernels"
}

# module_names - the modules that the guests carry
module_names() {
	awk '!/^#/ && NF { print $1 }' "$vmdir/modules"
}

# hash_of - a short name for the text on stdin
hash_of() {
	sha256sum | cut -c 1-12
}
