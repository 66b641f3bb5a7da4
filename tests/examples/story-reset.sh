# shellcheck shell=sh
# story-reset.sh - a machine resets itself under load, without a word
# SPDX-License-Identifier: GPL-2.0-only
# resets
# shellcheck disable=SC2016 # the boot line's dollar

. /tests/examples/reset.sh

# settings_daemon - the culprit: among much harmless work, now and then, it writes to I/O port 0x64 what resets a PC
settings_daemon() {
	# A script's name is its process's.
	cat >/disk/settingsd <<-'END'
		#!/bb/ash
		n=0
		while :; do
			n=$((n + 1))
			cat /proc/loadavg >/tmp/settings.now
			if [ "$n" -ge 60 ]; then printf '\376' | dd of=/dev/port bs=1 seek=100 conv=notrunc 2>/dev/null; fi
			sleep 0.1
		done
	END
	chmod +x /disk/settingsd
	/disk/settingsd &
}

if first_boot; then
	title 'A silent reset: which function ran last?'
	say 'A device under load resets itself, now and then. There is no oops and no message, the watchdog is innocent, kdump finds nothing. It happens when the disk is busy, so the block driver is suspected (here: loop, with something that writes to it all the time).'
	say 'The kernel was booted with a region of memory that is left alone by a reset: memmap=1M$0x18000000 trace_instance=crash^traceoff@0x18000000:1M. First guess: the driver, and nothing else. That costs little, and a driver that hangs its bus is in its last function when it does.'
	need_module loop
	truncate -s 64M /mnt/img/loop
	losetup /dev/loop0 /mnt/img/loop
	(while :; do /usr/bin/dd if=/dev/zero of=/dev/loop0 bs=4096 count=20 oflag=direct conv=notrunc status=none; done) &
	show crashtrace arm -S "$state" :mod:loop
	settings_daemon
	sleep 120
	fail 'it did not reset'
fi
if [ ! -e /disk/second ]; then
	true >/disk/second
	say 'It happened again. After the boot:'
	lines=60 show crashtrace dump -S "$state" -n 4
	say 'The driver was in the middle of its work on one CPU, as always: the calls follow each other as they did for seconds, and end anywhere. A function that never returned would be the last of its CPU each time. So it is not the driver; it only was there. What did everybody else do? The next trace has what writes to anything: the write functions of the kernel itself, some sixty, and still not "everything".'
	losetup /dev/loop0 >/dev/null 2>&1 || true
	show crashtrace arm -S "$state" 'vfs_write' 'write_*' '*_write_iter' 'ksys_write'
	settings_daemon
	sleep 120
	fail 'it did not reset'
fi
say 'And after the next one:'
lines=60 show crashtrace dump -S "$state" -n 6
say 'There it is: the last thing that any CPU did was write_port. That is outb, on behalf of somebody who has opened /dev/port: whatever sits behind that port was told to reset the machine. It is not even in the list for more than one call, which is why no profile ever showed it. The process began after arm, so its name is not known, but few programs write to /dev/port:'
show grep -n /dev/port /disk/settingsd
