# shellcheck shell=sh
# install_test.sh - make install and back again, and each way in which the commands can lie about and be started
# SPDX-License-Identifier: GPL-2.0-only
# runs: shells

# shellcheck source=lib.sh
. "$UNIT/lib.sh"

fake 7
unset FIELDTRACE_LIB # the commands have to find it
FIELDTRACE_TRACEFS=$TRACEFS
export FIELDTRACE_TRACEFS
commands=$(cd "$TOP/bin" && printf '%s\n' *)
want=$(grep '^sched:' "$TRACEFS/available_events")

works() { # NAME FILE: the command there (tpoint) finds the library and its awk programs; BusyBox is all there is
	local name="$1" file="$2"

	# shellcheck disable=SC2086 # a shell and its option
	out=$(PATH=$UNIT_PATH $UNIT_SHELL "$file" -l 'sched:*' 2>&1)
	tap_is "$name" "$out" "$want"
}

run_make() { # TARGET VARIABLE...
	tap_ok "make $*" make -s -C "$TOP" "$@"
}

files() { # FOLDER: files and links in it, one a line
	(cd "$1" && find . -type f -o -type l) | sort
}

### where it lies

works 'checkout' "$TOP/bin/tpoint"
mkdir "$T/copy"
cp -R "$TOP/bin" "$TOP/lib" "$T/copy/"
works 'copied folder' "$T/copy/bin/tpoint"
mkdir "$T/it's a [copy] -> *"
cp -R "$TOP/bin" "$TOP/lib" "$T/it's a [copy] -> */"
works 'copied folder with an unusual name' "$T/it's a [copy] -> */bin/tpoint"

### how it is called

cd "$T/copy/bin" || exit
works 'sh NAME in its folder' tpoint
works './NAME' ./tpoint
cd "$T/copy" || exit
works 'relative path' bin/tpoint
cd "$T" || exit
PATH=$T/copy/bin:$PATH
out=$(PATH=$T/copy/bin:$UNIT_PATH tpoint -l 'sched:*' 2>&1)
tap_is 'found on the PATH, by its #! line' "$out" "$want"

### links

mkdir links other
ln -s "$T/copy/bin/tpoint" links/absolute
ln -s ../copy/bin/tpoint links/relative
ln -s ../links/relative other/chain
ln -s copy/bin linked
works 'link, absolute' "$T/links/absolute"
works 'link, relative' "$T/links/relative"
works 'link to a link' "$T/other/chain"
works 'linked folder' "$T/linked/tpoint"
cd other || exit
works 'link, relative, in its folder' ./chain
works 'sh LINK in its folder' chain
cd "$T" || exit

### installed

mkdir -p usr/sbin usr/share/man/man8 usr/share/doc
: >usr/sbin/funccount-perf
: >usr/share/man/man8/funccount-perf.8
before=$(files usr)
helper=$T/helper
printf '#!/bin/sh\necho "usage: tracemem"\n' >"$helper"
run_make install PREFIX="$T/usr" HELPER="$helper"
works 'installed' "$T/usr/sbin/tpoint"
for file in "$TOP"/bin/*; do
	out=$(PATH=$UNIT_PATH "$T/usr/sbin/${file##*/}" -h 2>&1)
	tap_like "installed: ${file##*/} -h" "$out" "^usage: ${file##*/} "
done
tap_is 'installed: every page' "$(files usr/share/man | sed 's,.*/,,' | grep -v perf | sort)" \
	"$(cd "$TOP/man" && printf '%s\n' *.[0-9] | sort)"
tap_is 'installed: completion for each command' "$(ls usr/share/bash-completion/completions)" "$commands${nl}tracemem"
tap_is 'installed: tracemem runs' "$(usr/sbin/tracemem) $(usr/lib/fieldtrace/tracemem)" 'usage: tracemem usage: tracemem'
out=$(PATH=$UNIT_PATH usr/sbin/fieldtrace)
tap_is 'installed: fieldtrace lists what is there' "$(printf '%s\n' "$out" | cut -d ' ' -f 1)" "$commands"
tap_is 'installed: nothing is writable for all' "$(find usr -type f -perm -002)" ''
installed=$(files usr)
run_make install PREFIX="$T/usr" HELPER="$helper"
tap_is 'installed twice: the same files' "$(files usr)" "$installed"
mv usr moved
works 'installed, then moved as a whole' "$T/moved/sbin/tpoint"
mv moved usr
run_make uninstall PREFIX="$T/usr"
tap_is 'uninstalled: what was there before, and nothing else' "$(files usr)" "$before"
tap_is 'uninstalled: no folder of ours' "$(find usr -name 'fieldtrace*')" ''

### DESTDIR, other folders, other names

mkdir root
set -- PREFIX="$T/opt" DESTDIR="$T/root" LIBDIR="$T/far/its lib" MANDIR="$T/man" BINDIR="$T/opt/bin" PROGRAM_PREFIX=ft- \
	PROGRAM_SUFFIX=.x HELPER="$helper"
run_make install "$@"
tap_ok 'DESTDIR: nothing outside of it' test ! -e "$T/opt" -a ! -e "$T/far" -a ! -e "$T/man"
tap_is 'DESTDIR is in no file' "$(grep -rl "$T/root" root)" ''
tap_is 'commands with prefix and suffix' "$(files "root$T/opt/bin" | grep -v tracemem)" "$(printf '%s\n' "$commands" | sed 's,.*,./ft-&.x,')"
tap_ok 'pages with prefix and suffix' test -f "root$T/man/man8/ft-tpoint.x.8"
mkdir -p far && cp -R "root$T/far/." far/ && cp -R "root$T/opt" "$T/"
works 'BINDIR, LIBDIR, prefix and suffix' "$T/opt/bin/ft-tpoint.x"
out=$(PATH=$UNIT_PATH "$T/opt/bin/ft-tpoint.x" -Z 2>&1)
tap_like 'it calls itself by its name' "$out" '^ft-tpoint[.]x: '
out=$(PATH=$UNIT_PATH "$T/opt/bin/ft-fieldtrace.x")
tap_like 'and is listed by it' "$out" '^ft-tpoint[.]x '
run_make uninstall "$@"
tap_is 'uninstalled: nothing left' "$(files root)" ''

### broken

rm -rf "$T/copy/lib"
rc=0
# shellcheck disable=SC2086
out=$(PATH=$UNIT_PATH $UNIT_SHELL "$T/copy/bin/tpoint" -h 2>&1) || rc=$?
tap_is 'no library: 127, and what to do' "$rc $out" '127 tpoint: fieldtrace.sh not found; set FIELDTRACE_LIB to its folder'
FIELDTRACE_LIB=$TOP/lib
export FIELDTRACE_LIB
works 'FIELDTRACE_LIB names it' "$T/copy/bin/tpoint"

tap_done
