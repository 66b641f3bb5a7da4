#!/bin/sh
# lockdown.sh [KEY...] - every command on kernels that are locked down: integrity and confidentiality (oldest and newest)
# SPDX-License-Identifier: GPL-2.0-only
#
# Boots a guest for each kernel and mode, about 20 seconds each. TAP on stdout, then "N passed, N failed, N skipped";
# exit 0 only when nothing failed.
set -u

vmdir=$(cd "$(dirname "$0")" && pwd) || exit
# shellcheck source=common.sh
. "$vmdir/common.sh" || exit
# shellcheck source=../tap.sh
. "$top/tests/tap.sh" || exit

keys=${*:-$(kernel_keys | sed -n '1p;$p')}
logs=$(mktemp -d "${TMPDIR:-/tmp}/ft-lockdown.XXXXXX") || exit
trap 'rm -rf "$logs"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
set --
for key in $keys; do
	for mode in integrity confidentiality; do
		set -- "$@" "$logs/$key.$mode.tap"
		"$vmdir/boot.sh" -l "$logs/$key.$mode" -t 600 -a "lockdown=$mode" "$key" "$vmdir/guest/lockdown.sh" "$mode" \
			>"$logs/$key.$mode.tap" </dev/null || echo "not ok - $key $mode: guest ended with status $?" >>"$logs/$key.$mode.tap"
		cat "$logs/$key.$mode.tap"
	done
done
tap_total "$@"
