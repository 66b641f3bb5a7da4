#!/bin/sh
# bundle.sh COMMAND - one self-contained file of a command on stdout: library and awk programs inside
# SPDX-License-Identifier: GPL-2.0-only
#
# What the command loads with ft_load, and the awk programs that those parts name, take the place of the block that
# finds the library. Comment lines and indentation go, for size; the licence line stays.
set -u

top=$(cd "$(dirname "$0")/.." && pwd) || exit
tool=${1:-}
file=$top/bin/$tool
if [ -z "$tool" ] || [ ! -f "$file" ]; then
	echo "bundle.sh: name a command: $(cd "$top/bin" && echo *)" >&2
	exit 2
fi

# Awk joins lines that shell code would not, so only leading blanks and whole-line comments go.
squeeze() {
	sed -e '/^[[:space:]]*#/d' -e 's/^[[:space:]]*//' -e '/^$/d' "$@"
}

# Help texts and strings over several lines keep their form: only lib files, which have none but data lines, are
# squeezed; the command's own text is copied as it is.
parts="common tracefs session $(sed -n 's/^ft_load //p' "$file")"
paths=
for part in $parts; do paths="$paths $top/lib/$part.sh"; done
# shellcheck disable=SC2086 # our own paths, one word each
programs=$(cat "$file" $paths | grep -oE 'ft_awk(_exec)? [a-z_]+' | sed 's/.* //' | sort -u)

quoted() { # FILE: as one single-quoted shell word
	printf "'"
	squeeze "$1" | sed "s/'/'\\\\''/g"
	printf "'"
}

sed '/^# >>> find lib/,$d' "$file"
cat <<'END'
# One file, made by "make bundle": the library is inside.
self=$0
FT_BUNDLE=1
ft_load() { :; }
END
sed -n '/^unset CDPATH/,/^umask/p' "$top/lib/fieldtrace.sh"
for part in $parts; do
	sed -e '/^[[:space:]]*#/d' -e '/^$/d' "$top/lib/$part.sh"
done
# shellcheck disable=SC2016 # the bundle's own $1
printf 'ft_bundle_awk() {\nprintf "%%s\\n" %s\ncase $1 in\n' "$(quoted "$top/lib/common.awk")"
for name in $programs; do
	if [ -f "$top/lib/$name.awk" ]; then
		printf '%s) printf "%%s\\n" %s ;;\n' "$name" "$(quoted "$top/lib/$name.awk")"
	fi
done
printf 'esac\n}\n'
sed '1,/^# <<< find lib/d' "$file"
