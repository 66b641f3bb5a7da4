# fieldtrace.sh - the library's front door: loads the parts that every command needs
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by each command with $lib set to this folder. Offers ft_load for the parts that
# only some commands need. Touches nothing.

# A caller's environment must not change what the commands do: CDPATH makes cd print, IFS splits
# differently, a locale changes sort order and number formats.
unset CDPATH
IFS=' 	
'
LC_ALL=C
export LC_ALL
# Where stderr is closed, the next file that is opened would take its place, and get our messages.
# true and not ":", for a redirection that fails at a special built-in ends the shell.
if ! true >&2; then exec 2>/dev/null; fi
# getopts goes on from there in some shells.
OPTIND=1
umask 077

FT_LIB=$lib
FT_BUNDLE= # 1 in what `make bundle` makes
ft_loaded=' '

ft_load() { # PART...
	# Sources lib/PART.sh, once. A missing part is a broken installation: exit 127, as for the library itself.
	local part

	for part; do
		case $ft_loaded in
		*" $part "*) continue ;;
		esac
		# shellcheck source=/dev/null
		. "$FT_LIB/$part.sh" || exit 127
		# Not before: a signal's handler that comes in between may need what is not defined yet, and loads it again.
		ft_loaded="$ft_loaded$part "
	done
}

ft_load common tracefs session
