# shellcheck shell=sh
# fieldtrace.sh - a session with fieldtrace
# SPDX-License-Identifier: GPL-2.0-only

title 'What is there, and what works here: fieldtrace'
say 'Alone it lists the commands.'
show fieldtrace
say 'The first thing to run on an unknown machine: which commands work on its kernel, and if not, why not. Each line is found out by looking into the tracer, not from a version number, since vendors backport.'
lines=40 show fieldtrace check
