# shellcheck shell=sh
# guest.sh - what the demonstration shows, run inside the guest by tests/vm/boot.sh, at both of its boots
# SPDX-License-Identifier: GPL-2.0-only

# shellcheck source=../crash/guest_lib.sh
. /tests/crash/guest_lib.sh
# shellcheck source=../vm/guest/quoted.sh
. /tests/vm/guest/quoted.sh

PATH=/ft/bin:$PATH
FIELDTRACE_CRASH_STATE=$state
export PATH FIELDTRACE_CRASH_STATE

bold=${1:-} # "bold": the host's output is a terminal

say() { # TEXT: the line of explanation over each command
	if [ "$bold" ]; then
		printf '\n\033[1m%s\033[0m\n' "$1"
	else
		printf '\n%s\n' "$1"
	fi
}

show() { # COMMAND...: as it would be typed, then its output, a screenful at most
	printf '# %s\n' "$(quoted "$@")"
	"$@" 2>&1 | head -n "${lines:-24}"
}

load() { # files come and go on the XFS, for as long as this runs
	local i

	while :; do
		i=0
		while [ $i -lt 8 ]; do
			echo "some text for file $i" >"/mnt/xfs/file$i"
			cat "/mnt/xfs/file$i" >/dev/null
			i=$((i + 1))
		done
		sync
		rm -f /mnt/xfs/file?
		sleep 0.2
	done
}

start() {
	load_module loop
	load_module xfs
	truncate -s 320M /mnt/img.xfs
	mkfs.xfs -q -c options=/etc/mkfs.xfs.conf /mnt/img.xfs 2>/dev/null || mkfs.xfs -q /mnt/img.xfs
	mkdir -p /mnt/xfs
	losetup /dev/loop0 /mnt/img.xfs
	mount -t xfs /dev/loop0 /mnt/xfs
	load &
}

# The second boot: the first thing it does is to look what is left of the first one.
after_reset() {
	printf '\nLinux %s has booted again. Every address has moved, the module xfs is not loaded, and yet:\n' "$(uname -r)"
	say 'Which functions ran last before the reset?'
	lines=60 show crashtrace dump -n 6
	close_disk
	exit
}

open_disk
[ ! -e "$disk/armed" ] || after_reset
start
printf '\nLinux %s, emulated, two CPUs, no compiler, no perf, no python: a shell, awk and tracefs.\n' "$(uname -r)"
printf 'xfs is loaded as a module and mounted on a loop device; a script creates, reads and removes files on it.\n'

say 'What can this kernel do?'
show fieldtrace check

say "Which functions of the xfs module are busy? All $(grep -c '\[xfs\]$' /sys/kernel/tracing/available_filter_functions) are counted, the 12 busiest shown."
show modtrace -c -d 5 -t 12 xfs

say 'The same for a part of the kernel, exactly, by kprobes that count and record nothing.'
show funccount -d 3 -v 'xfs_file_*'

say 'What does one function do, and how long does each step take? Creating a file, two levels deep.'
lines=36 show funcgraph -d 2 -m 2 xfs_create

say "Tracepoints, with a filter that the kernel applies: some of the files that come and go."
lines=8 show tpoint -d 2 xfs:xfs_create xfs:xfs_remove "name ~ \"file[0-3]\""

say "A probe made on the spot: what xfs_file_buffered_write returns, and who led there."
lines=16 show kprobe -s -d 1 "r:write xfs:xfs_file_buffered_write bytes=\$retval:s64"

say 'And nothing is left behind.'
show reset-ftrace -n

say 'Now for a machine that resets without a word. Its memory outlives that, so the last calls are recorded there.'
show crashtrace arm :mod:xfs
: >"$disk/armed"
sync
say 'Somebody presses the reset button.'
sleep 120
