# shellcheck shell=sh
# kprobe.sh - a session with kprobe
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2016 # the kernel's dollars

busy_xfs
title 'Probes made on the spot: kprobe'
say 'At the entry of a function: each call, with whatever the definition asks for. %si is the second argument on x86-64 (%x1 on arm64, %r1 on arm); ":ustring" reads it as text of the user. This shows which files are opened, by whom.'
lines=8 show kprobe -d 1 'p:opens do_sys_openat2 file=+0(%si):ustring'
say 'At its return: what does it give back? "r" is a return probe, and s64 shows errors as negative numbers.'
lines=6 show kprobe -d 1 'r:write xfs:xfs_file_buffered_write bytes=$retval:s64'
say 'With a filter on what the probe fetches, and the stack. Only writes of more than 20 bytes, say:'
lines=14 show kprobe -s -d 1 'r:write xfs:xfs_file_buffered_write bytes=$retval:s64' 'bytes > 20'
say 'The kernel knows where a definition is wrong, and it is shown under the very place. Nothing was set up.'
status=8 show kprobe 'p:opens do_sys_openat2 file=+0(%sj):ustring'
say 'Two probes at once, entry and return, for what happens between:'
lines=8 show kprobe -d 1 p:xfs:xfs_create 'r:xfs:xfs_create $retval'
