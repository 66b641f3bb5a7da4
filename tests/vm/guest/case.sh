#!/bb/ash
# case.sh FILE FUNCTION - run one case; case.sh undo - run what it registered with at_end. Called by runner.sh.
# SPDX-License-Identifier: GPL-2.0-only
set -u

. "${0%/*}/lib.sh"

# undo - the lines of $R/at_end, last one first; one that fails is no verdict, the state afterwards is
undo() {
	local line
	awk '{ l[NR] = $0 } END { for (i = NR; i > 0; i--) print l[i] }' "$R/at_end" >"$R/undo"
	while IFS= read -r line <&3; do
		eval "$line"
	done 3<"$R/undo"
}

if [ "$1" = undo ]; then
	undo
	exit 0
fi
# shellcheck disable=SC1090 # the file of cases
. "$1"
"$2"
