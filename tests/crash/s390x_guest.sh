# shellcheck shell=sh
# s390x_guest.sh - two boots of s390x.sh: record a bit of everything and reset; save the image, and what this kernel prints of it
# SPDX-License-Identifier: GPL-2.0-only
#
# For the host and the next boot, a tar archive on the bare disk, folder small: before and after, the kernel's text of the trace at either side of the reset; kallsyms, modules
# and cmdlines of the boot that recorded; image, and there, what the helper decodes of it on this machine.

# shellcheck source=guest_lib.sh
. /tests/crash/guest_lib.sh

instance=/sys/kernel/tracing/instances/small
out=/tmp/small

# put VALUE FILE - write to a file of the instance
put() {
	echo "$1" >>"$instance/$2" || give_up "write to $2"
}

# work - calls of the kernel's functions and of a module's, process switches, three marks
work() {
	put 'the first mark' trace_marker
	dd if=/dev/zero of=/dev/null bs=64 count=1200 2>/dev/null
	dd if=/dev/zero of=/dev/loop0 bs=4k count=64 conv=fsync 2>/dev/null
	put 'a mark of its own: 100% "quoted"' trace_marker
	dd if=/dev/zero of=/dev/null bs=64 count=300 2>/dev/null
	dd if=/dev/loop0 of=/dev/null bs=4k count=64 2>/dev/null
	put 'the last mark' trace_marker
}

# record - trace the work, stop, print, reset
record() {
	load_module loop
	truncate -s 1M /mnt/img/file
	losetup /dev/loop0 /mnt/img/file || give_up 'no loop device'
	cat /proc/kallsyms >"$out/kallsyms"
	cat /proc/modules >"$out/modules"
	put ':mod:loop' set_ftrace_filter
	put read_zero set_ftrace_filter
	put write_null set_ftrace_filter
	put 1 events/sched/sched_switch/enable
	put lo_release:stacktrace set_ftrace_filter
	put function current_tracer
	put 1 tracing_on
	work
	put 0 tracing_on
	cat "$instance/trace" >"$out/before"
	cat /sys/kernel/tracing/saved_cmdlines >"$out/cmdlines"
	save
	say 'armed 1 sysrq-b'
	restart
	sleep 60
	give_up 'no reset'
}

# look - the boot after it
look() {
	say 'reset 1'
	cat "$instance/trace" >"$out/after"
	/ft/helper/tracemem snapshot @small "$out/image" || give_up 'tracemem snapshot'
	/ft/helper/tracemem decode --symbols "$out/kallsyms" --modules "$out/modules" --old-modules "$out/modules" \
		--cmdlines "$out/cmdlines" --format trace "$out/image" >"$out/there" || give_up 'tracemem decode'
	/ft/helper/tracemem info "$out/image"
}

# save - what we have, onto the disk
save() {
	tar -C /tmp -cf /dev/vda small || give_up 'write to the disk'
	sync
}

load_module virtio_blk
mkdir -p "$out"
# Nothing there in the first boot.
tar -C /tmp -xf /dev/vda 2>/dev/null
if [ -e "$out/before" ]; then look; else record; fi
save
say 'all done'
