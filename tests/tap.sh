# shellcheck shell=sh
# tap.sh - source it: write TAP from a test that runs on the host, and add TAP files up
# SPDX-License-Identifier: GPL-2.0-only
#
# A test sources this file, calls tap_ok / tap_is / tap_like / tap_skip as often as it likes, and tap_done at the end.
# Nothing here ends the test: every check is counted, and tap_done returns 1 when one failed or when there was none.

tap_count=0
tap_failed=0

# tap_note TEXT - a comment line for each line of TEXT
tap_note() {
	printf '%s\n' "$1" | sed 's/^/# /'
}

# tap_result STATUS NAME - the result line; STATUS 0 is a pass. Returns STATUS.
tap_result() {
	tap_count=$((tap_count + 1))
	if [ "$1" -eq 0 ]; then
		printf 'ok %s - %s\n' "$tap_count" "$2"
		return 0
	fi
	tap_failed=$((tap_failed + 1))
	printf 'not ok %s - %s\n' "$tap_count" "$2"
	return 1
}

# tap_ok NAME COMMAND... - pass when the command succeeds
tap_ok() {
	local name rc
	name=$1
	shift
	rc=0
	"$@" || rc=$?
	tap_result "$rc" "$name" || tap_note "status $rc: $*"
}

# tap_is NAME GOT WANT - pass when the two texts are the same
tap_is() {
	if [ "$2" = "$3" ]; then
		tap_result 0 "$1"
		return
	fi
	tap_result 1 "$1"
	tap_note "got:  $2"
	tap_note "want: $3"
}

# tap_like NAME TEXT ERE - pass when a line of TEXT matches
tap_like() {
	if printf '%s\n' "$2" | grep -Eq -e "$3"; then
		tap_result 0 "$1"
		return
	fi
	tap_result 1 "$1"
	tap_note "no line matches $3 in:"
	tap_note "$2"
}

# tap_skip NAME WHY - a test that cannot be run here
tap_skip() {
	tap_count=$((tap_count + 1))
	printf 'ok %s - %s # SKIP %s\n' "$tap_count" "$1" "$2"
}

# tap_done - the plan; returns 1 if a check failed or none was made
tap_done() {
	printf '1..%s\n' "$tap_count"
	[ "$tap_failed" -eq 0 ] && [ "$tap_count" -gt 0 ]
}

# tap_total FILE... - print "N passed, N failed, N skipped" over the files; returns 1 if one failed or nothing was run.
# A file that is missing, has no plan, or fewer results than its plan says, was cut short: that counts as a failure. What
# failed comes once more before the total, since it may be thousands of lines back.
tap_total() {
	local file
	for file; do
		shift
		[ ! -e "$file" ] || set -- "$@" "$file"
		[ -e "$file" ] || set -- "$@" /dev/null
	done
	# The empty file first: awk without a file would read stdin.
	awk '
	FNR == 1 { plan[FILENAME] = -1 }
	/^1\.\.[0-9]+$/ { plan[FILENAME] = substr($0, 4) + 0 }
	/^not ok / { failed++; seen[FILENAME]++; sub(/\r$/, ""); print "# failed: " substr($0, 8) }
	/^ok / { seen[FILENAME]++; if ($0 ~ / # SKIP/) skipped++; else passed++ }
	END {
		for (i = 2; i < ARGC; i++) {
			file = ARGV[i]
			if (!(file in plan) || plan[file] < 0) {
				failed++
				print "# failed: no plan in " file
			} else if (plan[file] > seen[file]) {
				failed += plan[file] - seen[file]
				print "# failed: " plan[file] - seen[file] " results are missing in " file
			}
		}
		printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
		exit failed > 0 || passed + skipped == 0
	}' /dev/null "$@"
}
