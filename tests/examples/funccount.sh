# shellcheck shell=sh
# funccount.sh - a session with funccount
# SPDX-License-Identifier: GPL-2.0-only

busy_xfs
title 'Counting calls with funccount'
say 'Which functions of a driver are busy? ":mod:xfs" is all of the module; -t 8 keeps the eight most called, the most called last, next to the prompt. A script creates, reads and removes files on an XFS meanwhile.'
show funccount -d 3 -t 8 :mod:xfs
say 'Thousands of functions are counted out of the trace, since a probe on each would take minutes to set up. Up to 200 get a kprobe each, which counts inside the kernel and cannot lose a call; -v says which way was taken.'
show funccount -v -d 2 'xfs_file_*'
say 'A table every second, three seconds in all. Each table has the calls of its second alone, so a burst stands out where a total would hide it. -T puts the time over each.'
show funccount -T -i 1 -d 3 'xfs_create' 'xfs_remove'
say 'For one process. The number is the one of the shell behind the load; all its threads are counted, its children are not.'
show funccount -d 2 -p "$loader" 'xfs_file_*'
say 'A slip of the pen costs nothing: nothing was set up, and the close names are shown. Status 7 says the same to a script.'
status=7 show funccount xfs_craete
