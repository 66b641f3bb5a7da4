# shellcheck shell=sh
# k_path_test.sh - a PATH with holes: one program of lib/applets missing at a time, for every command
# SPDX-License-Identifier: GPL-2.0-only
# runs: once

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

whole=$UNIT_PATH
fake 7
before=$(fake_state)
while read -r command args; do
	# shellcheck disable=SC2086 # words
	run "$command" $args
	tap_is "$command with all" "$rc" 0
	printf '%s\n' "$out" >"$T/whole.$command"
	rm -rf "${T:?}/path"
	mkdir "$T/path"
	for program in "$whole"/*; do ln -s "$(command -v busybox)" "$T/path/${program##*/}"; done
	for program in "$whole"/*; do
		program=${program##*/}
		rm "$T/path/$program"
		UNIT_PATH=$T/path
		# shellcheck disable=SC2086
		run "$command" $args
		UNIT_PATH=$whole
		ln -s "$(command -v busybox)" "$T/path/$program"
		# Either it does without, or it says what it lacks; never less than that with status 0.
		case $rc in
		0) case $command in
			fieldtrace) tap_like "$command without $program" "$out" '^reset-ftrace ' ;;
			*) tap_is "$command without $program: the same output" "$out" "$(cat "$T/whole.$command")" ;;
			esac ;;
		127) tap_like "$command without $program: says so" "$err" "^$command: .*$program" ;;
		*) tap_is "$command without $program: status" "$rc $err" '0 or 127' ;;
		esac
	done
	state_is "$command: all undone"
done <<'END'
funccount -d 0.05 vfs_read
functrace -d 0.05 vfs_read
funcgraph -d 0.05 vfs_read
tpoint -d 0.05 sched:sched_switch
kprobe -d 0.05 p:vfs_read
modtrace -d 0.05 loop
reset-ftrace -n
fieldtrace check
END

tap_done
