# shellcheck shell=sh
# kit_test.sh - the kit for this kind of machine, unpacked by BusyBox and used; those for others: make test-kit
# SPDX-License-Identifier: GPL-2.0-only
# runs: once

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

if [ "$(uname -m)" != x86_64 ]; then
	tap_skip 'make kit ARCH=amd64' 'this machine is not one'
	tap_done
	exit
fi
TMPDIR=$T "$TOP/tests/kit.sh" amd64 >"$T/tap" 2>"$T/err" || :
tap_like 'tests/kit.sh amd64: built, unpacked, decodes' "$(cat "$T/tap")" '^1[.][.][0-9]'
tap_is 'and nothing of it failed' "$(grep -A 9 '^not ok' "$T/tap")" ''

make -s -C "$TOP" kit ARCH=amd64 OUT="$T" >"$T/out" 2>"$T/err"
busybox tar -xzf "$T/fieldtrace-amd64.tar.gz" -C "$T"
tap_like 'make kit tells the sizes' "$(cat "$T/out")" 'fieldtrace-amd64.tar.gz: [0-9]+ bytes; unpacked [0-9]+'
cp "$T/fieldtrace-amd64.tar.gz" "$T/first.tar.gz"
make -s -C "$TOP" kit ARCH=amd64 OUT="$T" >"$T/out" 2>"$T/err"
tap_ok 'the same sources, the same archive' cmp "$T/first.tar.gz" "$T/fieldtrace-amd64.tar.gz"

fake 7
unset FIELDTRACE_LIB
busybox=$(command -v busybox)
out=$(FIELDTRACE_TRACEFS=$TRACEFS PATH=$UNIT_PATH "$busybox" ash "$T/fieldtrace/bin/tpoint" -l 'sched:*')
tap_is 'a command of the kit' "$out" "$(grep '^sched:' "$TRACEFS/available_events")"

tap_done
