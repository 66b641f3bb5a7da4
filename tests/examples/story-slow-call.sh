# shellcheck shell=sh
# story-slow-call.sh - a file-system call that takes long
# SPDX-License-Identifier: GPL-2.0-only

xfs_mount
# A program that writes records, and makes every tenth safe on the disk.
(
	n=0
	while :; do
		n=$((n + 1))
		echo "record $n" >>"$XFS/records"
		if [ $((n % 10)) = 0 ]; then sync "$XFS/records"; fi
		sleep 0.05
	done
) &
program=$!
at_end "kill $program"
title 'A slow file-system call: which one, and where is the time?'
say 'A program that writes small records stutters. Which of the calls into the file system are slow? All entries of XFS for files, only what took longer than a millisecond, each call as one line (-m 1), with the process:'
lines=14 show funcgraph -P -m 1 -M 1000 -d 3 'xfs_file_*'
say 'A write may take a millisecond or two here, but what takes ten and more is fsync. How often is it called, beside the writes?'
show funccount -d 3 xfs_file_fsync xfs_file_buffered_write
say 'One in ten. Where does such a call spend its time? The same function, three levels deep:'
lines=40 show funcgraph -m 3 -M 1000 -d 2 xfs_file_fsync
say 'The time is in forcing the log out (xfs_log_force_seq and what it waits for), and in writing the data back before (file_write_and_wait_range): both wait for the device and not for XFS. Who asks for it? The stack that leads there:'
lines=12 show functrace -s -d 1 xfs_file_fsync
say 'An fsync from user space, nothing that the kernel does by itself. The program makes every tenth record safe, one by one; that is the place to change.'
