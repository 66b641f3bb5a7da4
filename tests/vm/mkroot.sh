#!/bin/sh
# mkroot.sh KERNEL-FOLDER JOB OUT - write the initrd of a guest: what it boots into, with the script JOB to run
# SPDX-License-Identifier: GPL-2.0-only
#
# Three cpio archives in one file: the userland of this host (kept in the cache), the kernel's modules, and, made anew
# each time, the toolkit and the tests. A kernel whose folder has a busybox gets that one and nothing else of this host. Not compressed: an emulated CPU takes longer to unpack than QEMU to copy.
#
# In the guest: /bb every BusyBox applet; /applets only those of lib/applets; /ft the toolkit; /tests the tests;
# /modules; the shells, awks and tools of the host where they are here; /init, /job.
set -u

vmdir=$(cd "$(dirname "$0")" && pwd) || exit
# shellcheck source=common.sh
. "$vmdir/common.sh" || exit

# What the guest gets from the host besides BusyBox. dd: direct I/O of a known count; env: --default-signal;
# sort: a process of two threads; chrt: real-time priorities, which not every BusyBox sets. GUEST_PROGRAMS: more of them, for
# a guest that needs them (tests/bench).
programs="dash bash mksh yash mawk gawk original-awk strace trace-cmd mkfs.xfs env dd sort chrt ${GUEST_PROGRAMS:-}"

# program_files - the files of $programs and the libraries they need, each once
program_files() {
	local name file
	for name in $programs; do
		file=$(command -v "$name") || die "$name is missing here: run tests/deps.sh"
		printf '%s\n' "$file"
		ldd "$file" 2>/dev/null | grep -o '/[^ ]*'
	done | sort -u
}

# pack OUT - the folder we are in as a cpio archive, everything owned by root
pack() {
	find . -mindepth 1 | LC_ALL=C sort | cpio -o -H newc -R 0:0 --quiet >"$1"
}

# put_file FILE ROOT - copy FILE to the same place below ROOT, through links
put_file() {
	mkdir -p "$2${1%/*}" && cp -L "$1" "$2$1"
}

# make_userland OUT - BusyBox and what $programs needs
make_userland() {
	local root file conf applet
	root=$(mktemp -d "$cache/roots/.new.XXXXXX") || return
	mkdir -p "$root/bb" "$root/bin" "$root/proc" "$root/sys" "$root/dev" "$root/tmp" "$root/run" \
		"$root/root" "$root/mnt/xfs" "$root/mnt/img" "$root/var/ft" "$root/etc"
	echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
	cp "$busybox" "$root/bb/busybox" || return
	for applet in $("$busybox" --list); do
		[ "$applet" = busybox ] || ln -s busybox "$root/bb/$applet"
	done
	# What "#!/bin/sh" finds.
	ln -s /bb/busybox "$root/bin/sh"
	for file in $(program_files); do
		put_file "$file" "$root" || return
	done
	# A file system that an older kernel can mount, where xfsprogs knows how.
	conf=/usr/share/xfsprogs/mkfs/lts_5.10.conf
	[ ! -e "$conf" ] || cp "$conf" "$root/etc/mkfs.xfs.conf"
	(cd "$root" && pack "$1.tmp.$$") && mv "$1.tmp.$$" "$1"
	rm -rf "$root"
}

# userland - print the archive of the userland, made now unless the cache has it
userland() {
	local out files
	mkdir -p "$cache/roots"
	# Made anew when one of the files, or this script, is another.
	# shellcheck disable=SC2046 # file names without blanks
	files=$(ls -lL "$busybox" $(program_files)) || return
	out=$cache/roots/$(printf '%s\n' "$files" | cat "$0" - | hash_of).cpio
	if [ ! -e "$out" ]; then
		note 'building the guest userland'
		make_userland "$out" || return
		# Archives of old versions of the host's programs.
		find "$cache/roots" -name '*.cpio' -mtime +30 -exec rm -f {} +
	fi
	printf '%s\n' "$out"
}

# applets - the applets that the toolkit says it needs
applets() {
	if [ -e "$top/lib/applets" ]; then
		sed 's/#.*//' "$top/lib/applets" | tr -s ' \t' '\n' | grep .
	else
		busybox --list
	fi
}

# put_toolkit ROOT KERNEL JOB - what changes from run to run
put_toolkit() {
	local name
	mkdir -p "$1/ft" "$1/applets" "$1/modules"
	for name in bin lib; do
		[ ! -d "$top/$name" ] || cp -RL "$top/$name" "$1/ft/" || return
	done
	# Of the helper only what was built: a compiler is not among the things a target has.
	if [ -x "$top/helper/tracemem" ]; then
		mkdir -p "$1/ft/helper" && cp "$top/helper/tracemem" "$1/ft/helper/" || return
	fi
	cp -RL "$top/tests" "$1/tests" || return
	cp "$vmdir/guest/init" "$1/init" && cp "$3" "$1/job" && cp "$2"/modules/* "$1/modules/" || return
	for name in $(applets); do
		ln -s /bb/busybox "$1/applets/$name" || return
	done
}

main() {
	local base
	busybox=/bin/busybox
	[ ! -e "$1/busybox" ] || busybox=$1/busybox programs=
	base=$(userland) || die 'cannot build the userland'
	root=$(mktemp -d "${TMPDIR:-/tmp}/ft-root.XXXXXX") || exit
	trap 'rm -rf "$root" "$root.cpio"' EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	put_toolkit "$root" "$1" "$2" && (cd "$root" && pack "$root.cpio") && cat "$base" "$root.cpio" >"$3"
}

main "$@"
