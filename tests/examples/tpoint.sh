# shellcheck shell=sh
# tpoint.sh - a session with tpoint
# SPDX-License-Identifier: GPL-2.0-only

busy_xfs
title 'Tracepoints, with filters: tpoint'
say 'Which are there? -l lists all that match.'
lines=8 show tpoint -l 'xfs:*create*' 'xfs:xfs_remove'
say 'What does one tell? -v shows its format, and an example of a filter made from its fields.'
lines=24 show tpoint -v xfs:xfs_remove
say 'Two at once, with a filter that the kernel itself applies, so that what does not match costs next to nothing.'
lines=8 show tpoint -d 2 xfs:xfs_create xfs:xfs_remove 'name ~ "file[0-3]"'
say 'A filter is checked before anything is switched on. What the kernel has against it is shown with a mark under the place, and with the fields there are.'
status=8 show tpoint xfs:xfs_remove 'nmae == "file0"'
say 'With the stack of each event: who opens files here, and by which way?'
lines=16 show tpoint -d 1 -s xfs:xfs_file_buffered_write
