# shellcheck shell=sh
# quoted.sh - a command as it would be typed
# SPDX-License-Identifier: GPL-2.0-only

# quoted WORD... - the words in one line, in quotes where a shell wants them
quoted() {
	local word out
	out=
	for word; do
		case $word in
		*[!A-Za-z0-9_:./=,%@+-]*) word="'$word'" ;;
		esac
		out="$out${out:+ }$word"
	done
	printf '%s\n' "$out"
}
