# shellcheck shell=sh
# funcgraph.sh - a session with funcgraph
# SPDX-License-Identifier: GPL-2.0-only

busy_xfs
title 'What a function does, and how long it takes: funcgraph'
say 'Creating a file on XFS, two levels deep. Each line with a duration is a whole call; a line that ends in "{" is one whose inside follows. "+" stands before more than 10 us, "!" before more than 100 us.'
lines=24 show funcgraph -d 1 -m 2 xfs_create
say 'Where does the time go? -M 500 keeps the calls of at least 500 us, -m 1 the function itself, whoever it called. A glob is fine.'
lines=12 show funcgraph -d 2 -m 1 -M 500 'xfs_file_*'
say 'With the process, its PID and the time of each call (-a is all of it), for one process alone.'
lines=12 show funcgraph -a -d 1 -m 1 -p "$loader" 'xfs_file_*'
say 'A graph of every function would drown a machine. It is refused, unless -F says that it is meant.'
status=2 show funcgraph
