# shellcheck shell=sh
# tracefs_test.sh - tracefs.sh: where the tracer is, rights, error_log, README
# SPDX-License-Identifier: GPL-2.0-only
# runs: shells
# shellcheck disable=SC2016 # text that must not be expanded

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

P=$T/proc
FIELDTRACE_PROC=$P
FIELDTRACE_SECURITYFS=$T/security
export FIELDTRACE_PROC FIELDTRACE_SECURITYFS
mkdir -p "$P" "$T/security" "$T/x" "$T/debug/tracing" "$T/a b"
echo 'Linux version x' >"$P/version"
echo quiet >"$P/cmdline"

found() {
	# Never the machine's own.
	mount() { return 1; }
	ft_find_tracefs
	echo "$? $FT_TRACEFS"
}

mounts() { # LINE...
	for line; do printf '%s\n' "$line"; done >"$P/mounts"
}

### K1: by type, tracefs first

mounts "none $T/x tracefs rw 0 0"
lib -- found
tap_is 'K1: only a tracefs with an odd source' "$out" "0 $T/x"
mounts "debugfs $T/debug debugfs rw 0 0"
lib -- found
tap_is 'K1: only debugfs' "$out" "0 $T/debug/tracing"
mounts "debugfs $T/debug debugfs rw 0 0" "tracefs $T/x tracefs rw 0 0"
lib -- found
tap_is 'K1: both: tracefs' "$out" "0 $T/x"
mounts "proc /proc proc rw 0 0" "tracefs $T/x ext4 rw 0 0" "debugfs $T/debug tmpfs rw 0 0"
lib -- found
tap_is 'K1: names are no types' "$out" '1 '
mounts "debugfs $T/a\\040b debugfs rw 0 0"
lib -- found
tap_is 'K1: a debugfs without tracing' "$out" '1 '
neither() {
	mount() { return 1; }
	ft_need_tracefs
}
mounts "proc /proc proc rw 0 0"
lib -- neither
tap_is 'K1: neither: 11' "$rc" 11
tap_like 'K1: with the mount command' "$err" 'mount -t tracefs tracefs /sys/kernel/tracing'
mounted() { # what is mounted by us is said
	mount() { echo "mount $*"; }
	ft_need_tracefs
}
if [ -d /sys/kernel/tracing ]; then
	lib -- mounted
	tap_like 'K1: mounted if nobody has, and said so' "$out$nl$err" 'mounted tracefs on /sys/kernel/tracing'
else
	tap_skip 'K1: mounted if nobody has, and said so' 'no /sys/kernel/tracing'
fi
echo 'FreeBSD' >"$P/version"
lib -- neither
tap_like 'not Linux' "$rc $err" '^11 .*Linux only'
echo 'Linux version x' >"$P/version"
override() {
	FIELDTRACE_TRACEFS="$T/a b"
	ft_find_tracefs
	echo "$FT_TRACEFS"
}
lib -- override
tap_is 'FIELDTRACE_TRACEFS wins' "$out" "$T/a b"

### the undo finds tracefs from the EXIT trap, where some shells give a bare `return` the status from before it

from_trap() { # WORDS: run as a command in the EXIT trap, whose own "$@" differs by shell
	in_trap=$*
	# Into a file: BusyBox ash has undone the redirection of a function by then.
	trap 'if $in_trap; then echo good; else echo failed; fi >"$T/trapped"' EXIT
	exit 4
}
unset FIELDTRACE_TRACEFS
mounts "tracefs $T/x tracefs rw 0 0"
lib -- from_trap ft_find_tracefs
tap_is 'in a trap: tracefs is found' "$(cat "$T/trapped")" good
mounts "debugfs $T/debug debugfs rw 0 0"
lib -- from_trap ft_find_tracefs
tap_is 'in a trap: debugfs is found' "$(cat "$T/trapped")" good
echo none >"$T/filter"
lib -- from_trap ft_read_first "$T/filter"
tap_is 'in a trap: a filter is read' "$(cat "$T/trapped")" good
put_back() {
	FT_TRACEFS=$T
	ft_put_back filter 0
}
lib guard -- from_trap put_back
tap_is 'in a trap: a value is put back' "$(cat "$T/trapped" "$T/filter")" "good${nl}0"

### K67: octal

decoded() {
	ft_decode_mount "$1"
	printf '%s.\n' "$ft_decoded"
}
lib -- decoded '/a\040b\011c\134d\012e'
tap_is 'K67: blank, tab, backslash, newline' "$out" "/a b${tab}c\\d${nl}e."
lib -- decoded '/a\134040b'
tap_is 'K67: decoded once only' "$out" '/a\040b.'
lib -- decoded '/a\x\0'
tap_is 'K67: what is no escape stays' "$out" '/a\x\0.'
mounts "none $T/a\\040b tracefs rw 0 0"
lib -- found
tap_is 'K67: in the mount table' "$out" "0 $T/a b"

### K2: a folder that is empty

mounts "none $T/x tracefs rw 0 0"
lib -- ft_need_tracefs
tap_is 'K2: an empty folder: 11' "$rc" 11
tap_like 'K2: not mounted or locked down' "$err" 'not mounted or locked down'
tap_is 'K2: nothing is created' "$(ls -A "$T/x")" ''

### K3: lockdown

lockdown() {
	ft_lockdown
	echo "$ft_lockdown"
}
lib -- lockdown
tap_is 'lockdown: unknown' "$out" ''
echo 'none [integrity] confidentiality' >"$T/security/lockdown"
lib -- lockdown
tap_is 'lockdown: integrity' "$out" integrity
echo 'none integrity [confidentiality]' >"$T/security/lockdown"
lib -- lockdown
tap_is 'lockdown: confidentiality' "$out" confidentiality
rm "$T/security/lockdown"
echo 'root=/dev/sda lockdown=confidentiality quiet' >"$P/cmdline"
lib -- lockdown
tap_is 'lockdown: from the boot line' "$out" confidentiality
lib -- ft_deny /x
tap_like 'K3: lockdown is named, 3' "$rc $err" '^3 .*locked down [(]confidentiality[)]'
echo quiet >"$P/cmdline"
lib -- ft_deny /x
tap_like 'no rights: 3, and group access is named' "$rc $err" '^3 .*permission denied.*group'

### K4: rights, not uid 0

printf '#\n' >"$T/x/trace"
lib -- ft_need_tracefs
tap_is 'K4: what can be written is good, whoever we are' "$rc" 0
if [ "$(id -u)" -ne 0 ]; then
	chmod 444 "$T/x/trace"
	lib -- ft_need_tracefs
	tap_is 'what cannot be written: 3' "$rc" 3
	chmod 644 "$T/x/trace"
else
	tap_skip 'what cannot be written: 3' 'root can write everything'
fi

### writing

ops() {
	ft_write "$T/f" one && ft_append "$T/f" '-two' && ft_append "$T/f" '$(id) `id` %s \n *' && cat "$T/f"
}
lib -- ops
tap_is 'K66, K71: text as it is, each with its newline' "$out" "one${nl}-two${nl}\$(id) \`id\` %s \\n *"
lib -- ft_write "$T/no/such" x
tap_is 'a refused open is a failure, and silent' "$((rc > 0))$err" 1
lib -- ft_write /dev/full x
tap_is 'a refused write(2) is a failure, and silent' "$((rc > 0))$err" 1

### reading

first() {
	ft_read_first "$1"
	printf '%s\n' "$? $ft_value"
}
printf 'no newline' >"$T/f"
lib -- first "$T/f"
tap_is 'a line without its newline' "$out" '0 no newline'
: >"$T/f"
lib -- first "$T/f"
tap_is 'an empty file' "$out" '1 '
lib -- first "$T/none"
tap_is 'no file' "$out$err" '1 '
printf '  a\\b  \n' >"$T/f"
lib -- first "$T/f"
tap_is 'blanks and backslashes stay' "$out" '0   a\b  '

### K50, K61: the caret

caret() {
	ft_last_error "$1" || echo none
	printf '%s\n' "$ft_error"
	ft_show_caret
}
for key in 5.10 6.1 6.12 7; do
	lib -- caret "$UNIT/data/$key/error.filter"
	tap_is "error_log of $key: the message" "$out" 'Field not found'
	tap_is "error_log of $key: the caret stays under its place" "$err" "    bogus == 1$nl          ^"
	lib -- caret "$UNIT/data/$key/error.probe"
	tap_is "error_log of $key: a probe's" "$out" 'Invalid probed address or symbol'
	tap_like "error_log of $key: its command" "$err" '^    p:ft_rec/x no_such_function_at_all$'
	tap_like "error_log of $key: its caret" "$err" '^               \^$'
done
cat "$UNIT/data/7/error.probe" "$UNIT/data/7/error.filter" >"$T/f"
lib -- caret "$T/f"
tap_is 'error_log: the last entry counts' "$out" 'Field not found'
lib -- caret "$T/none"
tap_is 'error_log: none' "$out" none

### onewrite: one write() for a value, whatever the libc

# Where printf is no one write. In ash it must not be asked; elsewhere dd puts the pieces together.
in_pieces() { # HOW
	ft_how=$1
	printf() { command printf '%s' "in pieces: $2" && command printf '\n'; }
	ft_write "$T/f" 'a\n %s' && ft_append "$T/f" '-1' && cat "$T/f"
}
# shellcheck disable=SC2028,SC2116,SC3037 # as the library asks
if [ -z "${BASH_VERSION:-}" ] && [ "$(echo '\n')" = '\n' ]; then
	lib -- in_pieces ''
	tap_is 'a value: echo, where it is one write in every libc' "$out" 'a\n %s
-1'
fi
with_dd() {
	ft_how="dd"
	ft_write "$T/f" 'a\n %s' && ft_append "$T/f" '-nan' && cat "$T/f"
	ft_write /dev/full x || echo refused
}
lib -- with_dd
tap_is 'a value: dd, where neither echo nor printf is one' "$out" 'a\n %s
-nan
refused'

### README

has() {
	FT_TRACEFS=$T/x
	ft_readme_has "$1" && echo yes
}
printf 'a\n  accepts: func_full_name or glob-matching-pattern\n' >"$T/x/README"
lib -- has glob-matching-pattern
tap_is 'README: has it' "$out" yes
lib -- has 'glob.matching'
tap_is 'README: text, no regex' "$out" ''
rm "$T/x/README"
lib -- has glob
tap_is 'README: none' "$out" ''

tap_done
