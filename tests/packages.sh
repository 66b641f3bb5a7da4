#!/bin/sh
# packages.sh - build the Debian package in a copy of the sources, and look at it: lintian, its files, its commands; TAP
# SPDX-License-Identifier: GPL-2.0-only
set -u

top=$(cd "$(dirname "$0")/.." && pwd) || exit
# shellcheck source=tap.sh
. "$top/tests/tap.sh" || exit

work=$(mktemp -d "${TMPDIR:-/tmp}/packages.XXXXXX") || exit
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The recipes name the licence's checksum.
recipes=$top/examples/packaging
tap_is 'Buildroot: the hash of the licence' "$(sed -n 's/^sha256  //p' "$recipes/buildroot/package/fieldtrace/fieldtrace.hash")" \
	"$(cd "$top" && sha256sum LICENSE)"
tap_like 'Yocto: the checksum of the licence' "$(cat "$recipes"/yocto/recipes-devtools/fieldtrace/fieldtrace_git.bb)" \
	"LICENSE;md5=$(md5sum <"$top/LICENSE" | cut -c 1-32)\""

# The checkout as it is, without what was built in it.
mkdir "$work/fieldtrace" "$work/root"
cd "$top" || exit
git ls-files -co --exclude-standard | while IFS= read -r file; do
	if [ -f "$file" ]; then printf '%s\n' "$file"; fi
done | tar -T - -cf - | tar -C "$work/fieldtrace" -xf - || exit
cd "$work/fieldtrace" || exit

tap_ok 'dpkg-buildpackage' dpkg-buildpackage -us -uc
tap_ok 'lintian: no error, no warning' lintian --allow-root --fail-on error,warning "$work"/fieldtrace_*.changes
for package in "$work"/fieldtrace_*.deb; do :; done
files=$(dpkg-deb -c "$package" | sed 's,.* \./,/,; s/ -> .*//')
tap_is 'no file of perf-tools-unstable or bpfcc-tools' "$(printf '%s\n' "$files" | grep -E -- '-(perf|bpfcc)(\.|$)')" ''
for command in "$top"/bin/* tracemem; do
	command=${command##*/}
	tap_like "$command: installed" "$files" "^/usr/sbin/$command\$"
	tap_like "$command: its page" "$files" "^/usr/share/man/man8/${command}[.]8[.]gz\$"
done
tap_ok 'unpack it' dpkg-deb -x "$package" "$work/root"
tap_is 'fieldtrace runs from there' "$("$work/root/usr/sbin/fieldtrace" | cut -d ' ' -f 1)" "$(cd "$top/bin" && printf '%s\n' *)"
tap_like 'tracemem runs from there' "$("$work/root/usr/lib/fieldtrace/tracemem" -h)" '^usage: tracemem'
tap_done
