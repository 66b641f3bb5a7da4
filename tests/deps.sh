#!/bin/sh
# deps.sh [-n] [build] [ppc] [s390x] [kit] [packages] - install what the tests need of this machine, or say what to type (-n: only list it)
# SPDX-License-Identifier: GPL-2.0-only
#
# build: and what it takes to build a kernel; ppc, s390x: and those machines; kit: the cross compilers of
# "make kit"; packages: what builds and checks a Debian package. "make test" needs none of them.
# Exit 0 when everything is there (after installing it, when run as root), 1 when something is missing.

# One line a need: what proves that it is there (a command, or a file when it begins with a slash), and its package.
# busybox-static is told from a dynamic busybox in missing().
needs='
/bin/busybox            busybox-static
/usr/lib/*/libc.a       libc6-dev
/usr/share/keyrings/debian-archive-keyring.*  debian-archive-keyring
bash                    bash
cc                      gcc
cpio                    cpio
dash                    dash
dpkg-deb                dpkg
flock                   util-linux
gawk                    gawk
mandoc                  mandoc
mawk                    mawk
mkfs.xfs                xfsprogs
make                    make
mke2fs                  e2fsprogs
mksh                    mksh
modinfo                 kmod
musl-gcc                musl-tools
original-awk            original-awk
qemu-system-x86_64      qemu-system-x86
shellcheck              shellcheck
shfmt                   shfmt
strace                  strace
trace-cmd               trace-cmd
xz                      xz-utils
yash                    yash
zstd                    zstd
'
needs_build='
bc                      bc
bison                   bison
bzip2                   bzip2
debootstrap             debootstrap
flex                    flex
/usr/include/gelf.h     libelf-dev
'
needs_ppc='
powerpc-linux-gnu-gcc   gcc-powerpc-linux-gnu
/usr/powerpc-linux-gnu/lib/libc.a  libc6-dev-powerpc-cross
qemu-system-ppc         qemu-system-ppc
'
needs_s390x='
s390x-linux-gnu-gcc     gcc-s390x-linux-gnu
/usr/s390x-linux-gnu/lib/libc.a  libc6-dev-s390x-cross
qemu-system-s390x       qemu-system-misc
'
needs_kit='
aarch64-linux-gnu-gcc   gcc-aarch64-linux-gnu
arm-linux-gnueabihf-gcc gcc-arm-linux-gnueabihf
mips-linux-gnu-gcc      gcc-mips-linux-gnu
powerpc-linux-gnu-gcc   gcc-powerpc-linux-gnu
dpkg-source             dpkg-dev
qemu-aarch64-static     qemu-user-static
'
needs_packages='
dpkg-buildpackage       dpkg-dev
dh                      debhelper
fakeroot                fakeroot
lintian                 lintian
'

# have WHAT - is this command on the PATH (sbin included), or is there a file that matches this glob?
have() {
	case $1 in
	/*)
		# shellcheck disable=SC2086 # a glob of ours: it is meant to expand
		set -- $1
		[ -e "$1" ]
		;;
	*) PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null 2>&1 ;;
	esac
}

# missing - print the packages that are not there, one a line, each once
missing() {
	printf '%s\n' "$needs" | while read -r what package; do
		[ "$what" ] || continue
		if ! have "$what"; then
			printf '%s\n' "$package"
		elif [ "$what" = /bin/busybox ] && ldd /bin/busybox >/dev/null 2>&1; then
			# The guest has no library for a dynamic one.
			printf '%s\n' "$package"
		fi
	done | sort -u
}

# in_this_release PACKAGE - has this machine's apt a version of it?
in_this_release() {
	apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [0-9]'
}

# from_another_release PACKAGE - install what this release has dropped (yash, in some) out of another that the tests fetch
# kernels of anyway: through the private apt of tests/vm
from_another_release() (
	vmdir=$(cd "$(dirname "$0")/vm" && pwd) || exit
	# shellcheck source=vm/common.sh
	. "$vmdir/common.sh"
	# shellcheck source=vm/apt.sh
	. "$vmdir/apt.sh"
	debs=$(mktemp -d) || exit
	trap 'rm -rf "$debs"' EXIT
	# Newest first; backports do not stand alone.
	for suite in $(awk '!/^#/ && NF == 3 && $2 !~ /-/ { print $2 }' "$vmdir/kernels" | tac); do
		mkdir -p "$cache"
		{
			flock 9
			if apt_open "$suite" && [ "$(apt_field "$1" Version)" ] && apt_download "$debs" "$1"; then
				echo "deps: $1 from $suite, since this release has none" >&2
				apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends "$debs"/*.deb >&2
				exit
			fi
		} 9>"$cache/lock.$suite"
	done
	echo "deps: no release has a package $1" >&2
	exit 1
)

# install PACKAGE... - through apt-get; a third-party source that cannot be read is no reason to stop
install() {
	local here elsewhere package
	echo "deps: installing $*" >&2
	DEBIAN_FRONTEND=noninteractive
	export DEBIAN_FRONTEND
	apt-get -q -o DPkg::Lock::Timeout=300 update >&2 ||
		echo 'deps: apt-get update failed in part; going on with what it has' >&2
	here=
	elsewhere=
	for package; do
		if in_this_release "$package"; then here="$here $package"; else elsewhere="$elsewhere $package"; fi
	done
	# shellcheck disable=SC2086 # package names: one word each
	[ ! "$here" ] || apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends $here >&2 || return
	for package in $elsewhere; do from_another_release "$package" || return; done
}

main() {
	local list word only
	only=''
	for word; do
		case $word in
		-n) only=yes ;;
		build) needs=$needs$needs_build ;;
		ppc) needs=$needs$needs_ppc ;;
		s390x) needs=$needs$needs_s390x ;;
		kit) needs=$needs$needs_kit ;;
		packages) needs=$needs$needs_packages ;;
		*)
			sed -n '2s/^# /usage: /p' "$0" >&2
			return 2
			;;
		esac
	done
	list=$(missing)
	if [ "$only" ]; then
		[ ! "$list" ] || printf '%s\n' "$list"
		return 0
	fi
	[ "$list" ] || return 0
	# shellcheck disable=SC2086 # package names: one word each
	set -- $list
	if ! command -v apt-get >/dev/null; then
		echo "deps: missing, and this is no Debian: $*" >&2
		return 1
	fi
	if [ "$(id -u)" -ne 0 ]; then
		echo "deps: missing: $*" >&2
		echo "  type: sudo apt-get install --no-install-recommends $*" >&2
		return 1
	fi
	install "$@" || return 1
	list=$(missing)
	[ ! "$list" ] || {
		printf 'deps: still missing after the installation:\n%s\n' "$list" >&2
		return 1
	}
}

main "$@"
