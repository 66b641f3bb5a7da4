# shellcheck shell=sh
# apt.sh - source it after common.sh: look up and download packages of any Debian suite, through a private apt
# SPDX-License-Identifier: GPL-2.0-only
#
# apt itself checks the signature of the index (with the keyring in /usr/share/keyrings) and the checksum of what it
# downloads. Its state is a folder of ours under the cache, so neither root nor the machine's own sources are touched.
# From the machine come the mirror's address (FIELDTRACE_MIRROR overrides it) and the settings for proxies and the like.

# apt_sources - "BASE SUITE" of every source of this machine, third-party ones too
apt_sources() {
	# InRelease is the one file that every source has; this works without an index and without root.
	apt-get update --print-uris 2>/dev/null |
		sed -n "s|^'\(.*\)/dists/\(.*\)/InRelease'.*|\1 \2|p"
}

# apt_archives - addresses that may be the Debian archive, likeliest first
apt_archives() {
	if [ "${FIELDTRACE_MIRROR-}" ]; then
		printf '%s\n' "$FIELDTRACE_MIRROR"
		return
	fi
	apt_sources | awk '$2 !~ /security/ { print ($1 ~ /\/debian\/?$/ ? 0 : 1), $1 }' | sort -u | cut -d ' ' -f 2-
}

# apt_security - the address of the security archive, if this machine has one in its sources
apt_security() {
	apt_sources | awk '$2 ~ /-security$/ { print $1; exit }'
}

# apt_write_sources ARCHIVE SECURITY - the sources.list of the suite being opened. An empty SECURITY leaves out all
# but the suite itself.
apt_write_sources() {
	local keyring
	for keyring in /usr/share/keyrings/debian-archive-keyring.*; do :; done
	printf 'deb [signed-by=%s] %s %s main\n' "$keyring" "$1" "$apt_suite" >"$apt_dir/etc/sources.list"
	case $apt_suite/$2 in
	*-*/* | */) return ;; # -backports has neither; nor does a machine without security sources
	esac
	printf 'deb [signed-by=%s] %s %s main\n' "$keyring" "$1" "$apt_suite-updates" \
		"$keyring" "$2" "$apt_suite-security" >>"$apt_dir/etc/sources.list"
}

# apt_open SUITE [ARCH] - make SUITE the one that the functions below ask. Its index is refreshed when older than a
# day; $apt_stale says that this failed. Returns 1 when there is no index and none could be fetched. One process at a time: the caller holds a lock.
apt_open() {
	local archive security
	apt_suite=$1
	apt_arch=${2:-$(dpkg --print-architecture)}
	apt_dir=$cache/apt/$apt_suite-$apt_arch
	apt_stale=
	apt_config
	[ ! "$(find "$apt_dir/fresh" -mmin -1440 2>/dev/null)" ] || return 0
	note "looking for packages of $apt_suite"
	security=$(apt_security)
	for archive in $(apt_archives); do
		apt_refresh "$archive" "$security" || apt_refresh "$archive" '' || continue
		: >"$apt_dir/fresh"
		return 0
	done
	# Put back the last list that worked: the index it stands for is still there.
	[ -e "$apt_dir/fresh" ] || {
		note "no package index of $apt_suite: $(tail -n 1 "$apt_dir/log" 2>/dev/null || echo 'no mirror in the apt sources; set FIELDTRACE_MIRROR')"
		return 1
	}
	apt_stale=yes
	cp "$apt_dir/etc/sources.list.good" "$apt_dir/etc/sources.list"
	note "no newer package index of $apt_suite to be had; using the last one"
}

# apt_config - the private apt's folders and settings
apt_config() {
	mkdir -p "$apt_dir/etc" "$apt_dir/state/lists/partial" "$apt_dir/cache/archives/partial"
	: >"$apt_dir/status"
	# Only the settings of how to fetch are taken over; hooks of this machine have no business here.
	{
		apt-config dump | grep '^Acquire::\(http\|https\|ftp\|Check-\|ForceIP\)'
		cat <<-EOT
			Acquire::Languages "none";
			Acquire::Retries "1";
			Acquire::GzipIndexes "true";
			APT::Architecture "$apt_arch";
			APT::Architectures "$apt_arch";
			APT::Sandbox::User "$(id -un)";
			Dir::Etc "$apt_dir/etc";
			Dir::Etc::main "none";
			Dir::Etc::parts "none";
			Dir::Etc::sourceparts "none";
			Dir::State "$apt_dir/state";
			Dir::State::status "$apt_dir/status";
			Dir::Cache "$apt_dir/cache";
			Dir::Cache::srcpkgcache "";
		EOT
	} >"$apt_dir/apt.conf"
}

# apt_run TOOL ARG... - apt-get or apt-cache with the private state
apt_run() {
	APT_CONFIG=$apt_dir/apt.conf "$@"
}

# apt_refresh ARCHIVE SECURITY - fetch the index; keeps a copy of the list of sources that worked
apt_refresh() {
	apt_write_sources "$1" "$2"
	apt_run apt-get -q -o APT::Update::Error-Mode=any update >"$apt_dir/log" 2>&1 || return 1
	cp "$apt_dir/etc/sources.list" "$apt_dir/etc/sources.list.good"
}

# apt_field PACKAGE FIELD - a field of the newest version of a package; nothing when there is no such package
apt_field() {
	apt_run apt-cache show --no-all-versions "$1" 2>/dev/null |
		sed -n "s/^$2: //p" | head -n 1
}

# apt_depends PACKAGE - the packages it depends on, first alternative of each, without versions, one a line
apt_depends() {
	apt_field "$1" Depends | tr ',' '\n' | sed 's/|.*//; s/^ *//; s/[ (:].*//' | grep .
}

# apt_download FOLDER PACKAGE... - put the packages' files into FOLDER
apt_download() {
	local folder
	folder=$1
	shift
	(cd "$folder" && apt_run apt-get -q download "$@") >"$apt_dir/log" 2>&1 && return
	tail -n 3 "$apt_dir/log" >&2
	return 1
}

# apt_source SUITE FOLDER PACKAGE [OPTION...] - unpack the source of a package of that suite in FOLDER, patches applied; OPTIONs are
# those of "apt-get source", --download-only for instance. What apt_open opened is closed by it.
apt_source() {
	local archive folder

	apt_suite=$1 folder=$2
	shift 2
	apt_arch=$(dpkg --print-architecture)
	apt_dir=$cache/apt/source
	apt_config
	for archive in $(apt_archives); do
		apt_write_sources "$archive" ''
		sed -i 's/^deb /deb-src /' "$apt_dir/etc/sources.list"
		(apt_run apt-get -q -o APT::Update::Error-Mode=any update && cd "$folder" && apt_run apt-get -q source "$@") \
			>"$apt_dir/log" 2>&1 && return
	done
	tail -n 3 "$apt_dir/log" >&2
	return 1
}
