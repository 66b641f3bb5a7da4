#!/bin/sh
# install.sh install|uninstall - put the toolkit where the variables of `make install` say, or take it away from there
# SPDX-License-Identifier: GPL-2.0-only
#
# From the environment: BINDIR LIBDIR MANDIR DOCDIR COMPLETIONDIR, DESTDIR before each of them, PROGRAM_PREFIX and
# PROGRAM_SUFFIX around the name of each command and page, HELPER: the tracemem to install, if there is that file.
# One list says what goes where; both ways follow it.
set -u

tab=$(printf '\t')
top=$(cd "$(dirname "$0")/.." && pwd) || exit
cd "$top" || exit

# item KIND SOURCE TARGET - a line of the list. KIND: file, program, command (a program that looks for its library) or link
item() {
	printf '%s\t%s\t%s\n' "$1" "$2" "$3"
}

# named NAME - as it is called once it is installed
named() {
	printf '%s\n' "$PROGRAM_PREFIX$1$PROGRAM_SUFFIX"
}

# list_docs - what is read and not run; the recipes for other build systems are for those who have the sources
list_docs() {
	local file

	item file README.md "$DOCDIR/README.md"
	item file LICENSE "$DOCDIR/LICENSE"
	find examples -path examples/packaging -prune -o -type f -print | while IFS= read -r file; do
		if [ -x "$file" ]; then item program "$file" "$DOCDIR/$file"; else item file "$file" "$DOCDIR/$file"; fi
	done
}

# list - everything, an item a line
list() {
	local file name section helper=''

	for file in lib/*; do item file "$file" "$LIBDIR/${file##*/}"; done
	for file in bin/*; do item command "$file" "$BINDIR/$(named "${file##*/}")"; done
	if [ -f "$HELPER" ]; then
		helper=yes
		item program "$HELPER" "$LIBDIR/tracemem"
		item link "$LIBDIR/tracemem" "$BINDIR/$(named tracemem)"
	fi
	for file in man/*.[0-9]; do
		section=${file##*.}
		name=${file##*/}
		item file "$file" "$MANDIR/man$section/$(named "${name%.*}").$section"
	done
	# bash-completion looks for a file of the command's name.
	item file completion/fieldtrace.bash "$COMPLETIONDIR/$(named fieldtrace)"
	for name in $(cd bin && echo *) ${helper:+tracemem}; do
		if [ "$name" != fieldtrace ]; then item link "$(named fieldtrace)" "$COMPLETIONDIR/$(named "$name")"; fi
	done
	list_docs
}

# stamped FILE - a command that finds its library in LIBDIR, wherever BINDIR is
stamped() {
	FT_LIBDIR=$LIBDIR awk '
	/^libdir=/ && !done {
		dir = ENVIRON["FT_LIBDIR"]
		gsub(/\047/, "\047\\\\\047\047", dir)
		$0 = "libdir=\047" dir "\047 # set by \"make install\""
		done = 1
	}
	{ print }' "$1"
}

# put KIND SOURCE TARGET - whole or not at all: what runs is never written to
put() {
	local to="$DESTDIR$3" mode=644

	if [ ! -d "${to%/*}" ]; then mkdir -p "${to%/*}" || return; fi
	if [ "$1" != file ]; then mode=755; fi
	case $1 in
	link) rm -f "$to" && ln -s "$2" "$to" ;;
	command) stamped "$2" >"$to.new" && chmod "$mode" "$to.new" && mv -f "$to.new" "$to" ;;
	*) cp "$2" "$to.new" && chmod "$mode" "$to.new" && mv -f "$to.new" "$to" ;;
	esac
}

do_install() {
	local kind source target

	umask 022
	list | while IFS=$tab read -r kind source target; do
		put "$kind" "$source" "$target" || exit
	done
}

# do_uninstall - the folders that nobody else uses go as well, when they are empty
do_uninstall() {
	local kind source target

	HELPER=$0 # whatever was installed as tracemem
	list | while IFS=$tab read -r kind source target; do
		rm -f "$DESTDIR$target" || exit
	done || return
	find "$DESTDIR$LIBDIR" "$DESTDIR$DOCDIR" -depth -type d -exec rmdir {} + 2>/dev/null || :
}

case ${1:-} in
install | uninstall) "do_$1" ;;
*)
	echo 'usage: install.sh install|uninstall' >&2
	exit 2
	;;
esac
