# shellcheck shell=sh
# crashtrace.sh - a session with crashtrace
# SPDX-License-Identifier: GPL-2.0-only
# resets

. /tests/examples/reset.sh
if first_boot; then
	title 'The last functions before a silent reset: crashtrace'
	say 'What does this kernel offer? Here a region is configured already; where none is, check ends with the words to add to the boot line.'
	lines=40 show crashtrace check -S "$state"
	need_module loop
	truncate -s 64M /mnt/img/loop
	losetup /dev/loop0 /mnt/img/loop
	(while :; do /usr/bin/dd if=/dev/zero of=/dev/loop0 bs=4096 count=20 oflag=direct conv=notrunc status=none; done) &
	say 'How much history will the region hold, and what will it cost? The calls are counted for a few seconds.'
	show crashtrace plan -S "$state" :mod:loop
	say 'It is armed on one driver. The symbols of this boot are saved with it: after the next one every address will have moved.'
	show crashtrace arm -S "$state" :mod:loop
	show crashtrace status -S "$state"
	say 'Now the machine resets: no oops, no message, nothing on the console.'
	sleep 3
	reset_now
fi
say 'After the next boot. The trace is taken out of the region first of all, into a file, and then shown: the last calls of each CPU, and who ran last.'
lines=60 show crashtrace dump -S "$state"
say 'The same snapshot can be looked at again, further back, or as a file for trace-cmd, KernelShark or Perfetto.'
for image in "$state"/*.img; do :; done
lines=16 show crashtrace dump -S "$state" -n 3 "$image"
show crashtrace dump -S "$state" -F trace.dat -o /tmp/last.dat "$image"
lines=4 show trace-cmd report -i /tmp/last.dat
say 'The region is free again: arm without a pattern goes on as last time. examples/boot has the scripts that do all this at each boot.'
show crashtrace status -S "$state"
