SUMMARY = "Shell commands that drive the kernel's own tracer"
DESCRIPTION = "Functions, tracepoints, dynamic probes, one module as a whole, and the last calls before a silent \
reset, in POSIX sh and awk on BusyBox alone."
SECTION = "devel"
LICENSE = "GPL-2.0-only"
LIC_FILES_CHKSUM = "file://LICENSE;md5=b234ee4d69f5fce4486a80fdaf4a4263"

# This clone; for a release, SRC_URI and SRCREV in its place.
inherit externalsrc
EXTERNALSRC = "${@os.path.normpath(os.path.join(d.getVar('THISDIR'), '..', '..', '..', '..', '..'))}"
EXTERNALSRC_BUILD = "${EXTERNALSRC}"

inherit bash-completion

EXTRA_OEMAKE = "'CC=${CC}' 'CFLAGS=${CFLAGS}' 'CPPFLAGS=${CPPFLAGS}' 'LDFLAGS=${LDFLAGS}'"

do_compile() {
	oe_runmake clean
	oe_runmake helper
}

do_install() {
	oe_runmake install DESTDIR=${D} BINDIR=${sbindir} LIBDIR=${libdir}/${BPN} MANDIR=${mandir} \
		DOCDIR=${docdir}/${BPN} COMPLETIONDIR=${datadir}/bash-completion/completions
}

FILES:${PN} += "${libdir}/${BPN}"
