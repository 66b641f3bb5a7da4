# crash_boot.sh - crashtrace: what turns addresses of this boot into names after the next one
# SPDX-License-Identifier: GPL-2.0-only
#
# Offers: crash_save_boot, crash_refresh, crash_watch, crash_unwatch, crash_boot_of, crash_symbols.
# Every address moves at a reboot, so this is saved as long as this boot runs. Each boot that was armed has a folder
# boots/N.BOOTID in the state folder, N counting up (boards without a clock cannot tell boots apart by their date):
#
#   info      "KEY VALUE" lines: boot release machine build date text (address of _text) anchor
#             (of rb_meta_init_text_addr) cpus (possible ones) backend region where
#             address size clock
#   uname cmdline patterns
#   kallsyms or kallsyms.gz   the kernel's own text symbols
#   modsyms   those of modules, gone ones as well: their calls may still be in the region
#   modules   /proc/modules, the same
#   cmdlines  "PID NAME" lines, as tracefs' saved_cmdlines

# What the functions here set, empty until then: the environment may have variables of these names.
crash_anchor_at= crash_kptr= crash_number= crash_text_at=

crash_boot_folder() { # BOOT_ID -> $crash_saved: its folder; returns 1 when it was not saved
	local dir

	crash_saved=
	for dir in "$crash_dir"/boots/*."$1"; do
		if [ -d "$dir" ]; then crash_saved=$dir; fi
	done
	[ -n "$crash_saved" ]
}

crash_next_number() { # -> $crash_number: six digits, one above the highest in boots/
	local dir n

	crash_number=0
	for dir in "$crash_dir"/boots/[0-9]*.*; do
		n=${dir##*/}
		n=${n%%.*}
		# Leading zeros would make it octal.
		n=1${n#1}
		case $n in
		*[!0-9]* | ????????*) continue ;;
		esac
		crash_number=${dir##*/}
	done
	crash_number=${crash_number%%.*}
	crash_number=$((1$crash_number - 1000000 + 1))
	if [ "$crash_number" -le 0 ]; then crash_number=1; fi
	crash_number=$((1000000 + crash_number))
	crash_number=${crash_number#1}
}

crash_save_boot() {
	# Saves this boot, synced to the disk under its final name. A second arm in one boot only refreshes.
	local new="$crash_dir/boots/.new"

	# What a reset cut short while it was written.
	rm -f "$crash_dir"/*.new.* "$crash_dir"/boots/*/*.new.*
	if crash_boot_folder "$crash_boot"; then
		crash_get "$crash_saved/info" text && crash_text_at=$crash_value
		crash_get "$crash_saved/info" anchor && crash_anchor_at=$crash_value
		crash_refresh
	else
		rm -rf "$new"
		mkdir "$new" || ft_die "$FT_EX_OUTPUT" "cannot write $crash_dir/boots: no space left?"
		crash_saved=$new
		crash_open_kptr
		crash_save_symbols
		crash_save_modules
		crash_close_kptr
		crash_save_names
		uname -a | crash_replace "$new/uname" || exit
		crash_replace "$new/cmdline" <"$FT_PROC/cmdline"
		sync
		crash_next_number
		mv "$new" "$crash_dir/boots/$crash_number.$crash_boot" ||
			ft_die "$FT_EX_OUTPUT" "cannot write $crash_dir/boots: no space left?"
		crash_saved=$crash_dir/boots/$crash_number.$crash_boot
	fi
	crash_replace "$crash_saved/patterns" <"$crash_dir/asked"
	crash_info | crash_replace "$crash_saved/info" || exit
}

crash_info() { # the lines of "info", for this boot
	printf 'boot %s\nrelease %s\nmachine %s\nbuild %s\n' "$crash_boot" "$(uname -r)" "$(uname -m)" "$(uname -v)"
	printf 'date %s\ntext %s\nanchor %s\n' "$(date '+%Y-%m-%d %H:%M:%S')" "$crash_text_at" "$crash_anchor_at"
	printf 'cpus %s\n' "$(ft_cat_line /sys/devices/system/cpu/possible)"
	printf 'backend %s\nregion %s\nwhere %s\n' "$crash_backend" "$crash_name" "$crash_where"
	printf 'address %s\nsize %s\nclock %s\n' "$crash_addr" "$crash_size" "${crash_clock:-}"
}

crash_core_symbols() { # the kernel's saved symbols
	if [ -f "$crash_saved/kallsyms.gz" ]; then
		gzip -dc "$crash_saved/kallsyms.gz"
	elif [ -f "$crash_saved/kallsyms" ]; then
		cat "$crash_saved/kallsyms"
	fi
}

### symbols

crash_open_kptr() {
	# With kernel.kptr_restrict at 2 even root reads zeros for addresses; it is 1 for as long as the reading takes.
	crash_kptr=
	ft_read_first "$FT_PROC/sys/kernel/kptr_restrict" || return 0
	if [ "$ft_value" = 2 ] && ft_write "$FT_PROC/sys/kernel/kptr_restrict" 1; then crash_kptr=2; fi
}

crash_close_kptr() {
	if [ -n "${crash_kptr:-}" ]; then ft_write "$FT_PROC/sys/kernel/kptr_restrict" "$crash_kptr"; fi
	crash_kptr=
}

crash_save_symbols() { # -> $crash_text_at, $crash_anchor_at: addresses of _text (or _stext) and rb_meta_init_text_addr
	# One reading of /proc/kallsyms, which is not small: text symbols, and the landmarks that say where text ends. A
	# return address is looked up by the nearest symbol below it, so data is left out. Fixed strings: BusyBox grep takes
	# seconds for a pattern on a slow CPU.
	local all="$crash_saved/all"

	if [ ! -r "$FT_PROC/kallsyms" ]; then
		ft_warn "this kernel shows no symbols (CONFIG_KALLSYMS): addresses will have no names without its System.map"
		true >"$crash_saved/modsyms"
		return
	fi
	grep -F -e ' t ' -e ' T ' -e ' w ' -e ' W ' -e ' _text' -e ' _stext' -e ' _etext' -e ' _einittext' -e ' _end' \
		"$FT_PROC/kallsyms" | crash_replace "$all" || exit
	crash_addresses "$all"
	grep -F '[' "$all" | crash_replace "$crash_saved/modsyms" || exit
	if command -v gzip >/dev/null 2>&1; then
		grep -v -F '[' "$all" | gzip -1 | crash_replace "$crash_saved/kallsyms.gz" || exit
	else
		grep -v -F '[' "$all" | crash_replace "$crash_saved/kallsyms" || exit
	fi
	if ! grep -q '^0*[1-9a-f]' "$all"; then
		rm -f "$all"
		ft_die "$FT_EX_PERM" "$FT_PROC/kallsyms shows no addresses: run as root, with kernel.kptr_restrict below 2"
	fi
	rm -f "$all"
}

crash_addresses() { # KALLSYMS -> $crash_text_at, $crash_anchor_at; empty when they are not in it
	local lines

	lines=$(grep -F -e ' _text' -e ' _stext' -e ' rb_meta_init_text_addr' "$1")
	crash_text_of "$lines"
	crash_text_at=$crash_value
	crash_symbol_of "$lines" rb_meta_init_text_addr
	crash_anchor_at=$crash_value
}

crash_save_modules() {
	if [ -r "$FT_PROC/modules" ]; then
		crash_replace "$crash_saved/modules" <"$FT_PROC/modules"
	else
		true >"$crash_saved/modules"
	fi
}

crash_processes() { # PID NAME of every process that is known now
	if [ -r "$FT_TRACEFS/saved_cmdlines" ]; then cat "$FT_TRACEFS/saved_cmdlines"; fi
	grep -s '' "$FT_PROC"/[0-9]*/task/[0-9]*/comm | ft_awk crash_comm
}

crash_save_names() { # names known earlier stay where no newer is
	{
		crash_processes
		if [ -f "$crash_saved/cmdlines" ]; then cat "$crash_saved/cmdlines"; fi
	} | ft_awk crash_first | crash_replace "$crash_saved/cmdlines" || exit
}

crash_refresh() {
	# Modules have come or gone since this boot was saved. What is gone keeps its lines, behind the present ones.
	crash_open_kptr
	{
		grep -F '[' "$FT_PROC/kallsyms"
		echo --
		cat "$crash_saved/modsyms"
	} 2>/dev/null | ft_awk crash_merge -v what=symbols | crash_replace "$crash_saved/modsyms" || exit
	{
		cat "$FT_PROC/modules"
		echo --
		cat "$crash_saved/modules"
	} 2>/dev/null | ft_awk crash_merge -v what=modules | crash_replace "$crash_saved/modules" || exit
	crash_close_kptr
	crash_save_names
	sync
}

crash_follow_names() { # PID START of the watcher: saves the names of processes that came since, as long as it lives
	# A boot hook arms before most of them are there. After 10 seconds, 20, 40 and so on; from there every ten minutes,
	# and only when there is one: flash wears.
	local pause=10

	while ft_alive "$1" "$2" && sleep "$pause" && ft_alive "$1" "$2"; do
		if { cat "$crash_saved/cmdlines" && echo -- && crash_processes; } 2>/dev/null | ft_awk crash_newer; then
			crash_save_names
			sync
		fi
		if [ "$pause" -lt 600 ]; then pause=$((pause * 2)); fi
	done
}

### the watcher: asleep in a read until a module comes or goes

crash_watch() {
	# Starts it; -> $crash_watcher "PID START", empty where the kernel does not tell about modules. It owns a private
	# instance by the name of which every other run knows when it is dead.
	local tries=0

	crash_watcher=
	if [ ! -d "$FT_TRACEFS/events/module/module_load" ] || [ ! -d "$FT_TRACEFS/instances" ]; then
		ft_note "$ft_tool: this kernel does not report modules; after loading one, run '$ft_tool refresh'"
		return
	fi
	rm -f "$crash_dir/watcher"
	{ crash_watcher_main; } </dev/null >/dev/null 2>&1 &
	while [ "$tries" -lt 100 ] && [ ! -f "$crash_dir/watcher" ]; do
		tries=$((tries + 1))
		ft_sleep 50 || :
	done
	crash_watcher=$(ft_cat_line "$crash_dir/watcher")
	rm -f "$crash_dir/watcher"
	if [ -z "$crash_watcher" ]; then ft_warn "cannot watch for modules; after loading one, run '$ft_tool refresh'"; fi
}

crash_watcher_main() {
	# A subshell's $$ is its parent's: /proc/self, opened by the shell itself, says who we are.
	local pid rest line

	trap - EXIT USR1
	trap '' HUP INT QUIT PIPE
	trap 'exit 0' TERM
	# shellcheck disable=SC2034
	read -r pid rest <"$FT_PROC/self/stat" || exit
	ft_start_time "$pid" || exit
	ft_id=$pid.$ft_start
	FIELDTRACE_RUN=$ft_id
	export FIELDTRACE_RUN
	cd / || exit
	ft_dir=$FT_TRACEFS/instances/ft.$ft_tool.$ft_id
	mkdir "$ft_dir" || exit
	ft_write "$ft_dir/events/module/module_load/enable" 1
	ft_write "$ft_dir/events/module/module_free/enable" 1
	crash_open_kptr
	crash_seen=$(cat "$FT_PROC/modules")
	crash_close_kptr
	{ crash_follow_names "$pid" "$ft_start"; } &
	printf '%s\n' "$pid $ft_start" >"$crash_dir/watcher.new" && mv "$crash_dir/watcher.new" "$crash_dir/watcher"
	# A plain read(2), by dd: the read of BusyBox ash polls first, and poll waits until half the buffer is full. Several
	# modules at a time are one refresh: half a second for the others to come.
	while dd of=/dev/null bs=65536 count=1; do
		crash_refilter
		sleep 0.5 2>/dev/null || sleep 1
		ft_write "$ft_dir/trace" ''
		crash_refresh
		crash_refilter
	done <"$ft_dir/trace_pipe"
}

crash_refilter() {
	# The kernel forgets a module's functions as it is unloaded: the filter gets the patterns again, before the module is back
	# where the kernel can wait for it by name. The recorder (-b module) does that itself. -> $crash_seen: /proc/modules now
	local now dir

	case $crash_backend in
	ring) dir=$FT_TRACEFS/instances/$crash_name ;;
	pstore) dir=$FT_TRACEFS ;;
	*) return ;;
	esac
	crash_open_kptr
	now=$(cat "$FT_PROC/modules")
	set -f
	# shellcheck disable=SC2046 # patterns hold no blanks
	set -- $(cat "$crash_saved/patterns")
	set +f
	crash_add_modules "$dir" '' "$@" >/dev/null
	crash_close_kptr
	crash_seen=$now
}

crash_filter_gone() { # -> $crash_gone: modules whose functions are asked for and which are loaded, but not in the filter
	# Of the ring and pstore, while recording. A few lines of the filter are enough where there is one such module.
	local ft_lines ft_line dir mod sign

	crash_gone=
	case $crash_backend in
	ring) dir=$FT_TRACEFS/instances/$crash_name ;;
	pstore) dir=$FT_TRACEFS ;;
	*) return ;;
	esac
	set -f
	# shellcheck disable=SC2046
	set -- $(cat "$crash_dir/patterns" 2>/dev/null)
	set +f
	ft_lines=$(ft_pattern_lines "$@" 2>/dev/null)
	while ft_next_line; do
		sign=${ft_line%% *}
		mod=${ft_line#? * }
		mod=${mod%% *}
		case $sign$mod in
		+- | -* | *[\*\?,]*) continue ;;
		esac
		if ft_module_loaded "$mod" && ! grep -q -F "[$mod]" "$dir/set_ftrace_filter"; then
			case " $crash_gone " in
			*" $mod "*) ;;
			*) crash_gone="$crash_gone${crash_gone:+ }$mod" ;;
			esac
		fi
	done
}

crash_unwatch() { # PID START: end it and remove its instance
	if [ $# -lt 2 ]; then return; fi
	if ft_alive "$1" "$2"; then kill -9 "$1" 2>/dev/null; fi
	ft_clean_run "$1" "$2"
}

### finding the saved boot of a trace

crash_boot_of() { # KEY VALUE -> $crash_saved: the newest saved boot whose info has this; 1 when there is none
	local dir

	crash_saved=
	if [ -z "$2" ]; then return 1; fi
	for dir in "$crash_dir"/boots/[0-9]*.*; do
		if crash_get "$dir/info" "$1" && [ "$crash_value" = "$2" ]; then crash_saved=$dir; fi
	done
	[ -n "$crash_saved" ]
}

crash_symbols() { # all symbols of the saved boot $crash_saved, on stdout
	crash_core_symbols
	if [ -f "$crash_saved/modsyms" ]; then cat "$crash_saved/modsyms"; fi
}

crash_say_untraced() { # lines about what the boot $crash_saved did not trace although it was asked for; none when nothing is known
	local mod from to

	if [ -z "$crash_saved" ]; then return 0; fi
	while read -r mod from to; do
		crash_say beware "$mod was not traced between $from s and $to s: it was loaded again, and nobody watched"
	done 2>/dev/null <"$crash_saved/untraced"
	if crash_get "$crash_saved/info" watched && crash_get "$crash_saved/info" backend && [ "$crash_value" != module ]; then
		crash_get "$crash_saved/info" looked || :
		crash_say beware "nobody watched for modules: a driver that was loaded again after ${crash_value:-?} s is not in this trace"
	fi
	return 0
}
