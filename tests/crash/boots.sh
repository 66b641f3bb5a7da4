#!/bin/sh
# boots.sh [-l DIR] - crashtrace's subcommands that go over several boots: check -t, bisect; TAP
# SPDX-License-Identifier: GPL-2.0-only
#
# check -t with both sorts of region, on 7 (through the kernel's ring buffer) and on 5.10 (a bare region); a bisection
# with a known culprit on 7. About three minutes.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit
# shellcheck source=common.sh
. "$here/common.sh" || exit

# over_boots DIR KEY BACKEND STORY [OPTION...] - one guest with boots_guest.sh; DIR/N is what crashtrace said in boot N
over_boots() {
	local dir key append extra limit n
	dir=$1 key=$2
	append=$(words "$3" '')
	shift 3
	extra='' limit=1800
	mkdir -p "$dir/root"
	mke2fs -q -t ext3 -d "$dir/root" "$dir/disk.img" 64M >/dev/null
	note "$key: $*"
	tap_ok "$key: the boots of $1 end well" guest "$dir" "$key" "$here/boots_guest.sh" "$@"
	fetch_result "$dir" /boot "$dir/boots"
	boots=$(cat "$dir/boots")
	n=0
	while [ "$n" -lt "${boots:-0}" ]; do
		n=$((n + 1))
		fetch_result "$dir" "/$n" "$dir/$n"
	done
}

# survive DIR KEY BACKEND [OPTION...] - marks are written, and are all there after the reset
survive() {
	local dir key backend
	dir=$1/survive-$2 key=$2 backend=$3
	shift 3
	over_boots "$dir" "$key" "$backend" survive "$@"
	tap_is "$key: boots" "$boots" 2
	tap_like "$key: check -t, the first time" "$(cat "$dir/1")" '^written +[1-9][0-9]+ marks into '
	tap_like "$key: check -t, after the reset" "$(cat "$dir/2")" '^survival +yes: all [1-9][0-9]+ marks survived \('
}

# bisection DIR KEY - ends with the function that resets the machine, and not with what merely ran before
bisection() {
	local dir
	dir=$1/bisect-$2
	over_boots "$dir" "$2" ring bisect
	fetch_result "$dir" /result "$dir/result"
	tap_like "$2: bisect, the first boot" "$(cat "$dir/1")" '^Recording [0-9]+ functions with the ring backend'
	tap_is "$2: bisect took more than one round" "$([ "${boots:-0}" -gt 2 ] && echo yes)" yes
	tap_is "$2: bisect, the last call" "$(head -n 1 "$dir/result")" sysrq_handle_reboot
	tap_is "$2: bisect, functions of the module that it ends with" "$(grep '\[loop\]' "$dir/result")" ''
	tap_note "rounds: $((boots - 1)), ends with: $(tr '\n' ' ' <"$dir/result")"
}

main() {
	local dir
	logs_option "$@"
	open_logs "$dir"
	{
		survive "$logs" 7 ring
		survive "$logs" 5.10 module -b module -r "$address:$size"
		bisection "$logs" 7
		tap_done
	} | tee "$logs/tap"
	tap_total "$logs/tap"
}

main "$@"
