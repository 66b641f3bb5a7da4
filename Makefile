# Makefile - fieldtrace
# SPDX-License-Identifier: GPL-2.0-only
.POSIX:

TOOL =
ARCH =
OUT = build
CROSS_COMPILE =

# Where things go; DESTDIR goes before each of them, and may come from the environment.
PREFIX = /usr/local
BINDIR = $(PREFIX)/sbin
LIBDIR = $(PREFIX)/lib/fieldtrace
MANDIR = $(PREFIX)/share/man
DOCDIR = $(PREFIX)/share/doc/fieldtrace
COMPLETIONDIR = $(PREFIX)/share/bash-completion/completions
PROGRAM_PREFIX =
PROGRAM_SUFFIX =
HELPER = helper/tracemem

places = DESTDIR='$(DESTDIR)' BINDIR='$(BINDIR)' LIBDIR='$(LIBDIR)' MANDIR='$(MANDIR)' DOCDIR='$(DOCDIR)' \
	COMPLETIONDIR='$(COMPLETIONDIR)' PROGRAM_PREFIX='$(PROGRAM_PREFIX)' PROGRAM_SUFFIX='$(PROGRAM_SUFFIX)' HELPER='$(HELPER)'

all: helper

# The C helper; the commands themselves need no building.
helper:
	$(MAKE) -C helper helper CROSS_COMPILE=$(CROSS_COMPILE)

helper-static:
	$(MAKE) -C helper helper-static

# A real kernel in QEMU, and the toolkit at work in it. SHELL_ONLY=1: a shell there instead.
demo:
	@SHELL_ONLY=$(SHELL_ONLY) tests/demo/run.sh

# Everything, each case in its share of the guests (tests/vm/README.md): half an hour on two cores. Installs what it needs
# when run as root, else says what to install. TOPIC=funccount: only what concerns that command, some minutes.
test:
	@tests/deps.sh && tests/run.sh $${TOPIC:+-t "$$TOPIC"}

# The worked sessions of examples/, made again in a guest: some twenty minutes.
examples:
	@tests/examples/make.sh

lint:
	@tests/lint/lint.sh

unit:
	@tests/unit/run.sh

vm: helper
	@tests/deps.sh && tests/vm/run.sh

# What takes too long for every change: every case in every guest, the long cases, every reset on every kernel, lockdown,
# fuzzing.
test-all: helper
	@tests/deps.sh && tests/run.sh -A
	@tests/vm/run.sh -p ash+busybox -c storm -a "VM_ALL=1 STORM_RUNS=200"
	@tests/deps.sh build && tests/vm/run.sh -k 6.12-built -p ash+busybox
	@tests/vm/lockdown.sh
	@$(MAKE) test-crash
	@tests/fuzz/run.sh 600
	@$(MAKE) test-bundle test-kit test-packages

# The tests of whole commands once more, on their bundles.
test-bundle:
	@tests/unit/run.sh -q -b -c cmd_run

# Arm, reset the hard way, boot, dump: all kernels and kinds of reset; fifty resets in a row on one kernel. Before that,
# the cases that need a region of either sort and no reset, and 200 damaged images.
test-crash:
	@tests/deps.sh build && tests/crash/selftest.sh && tests/crash/damage.sh -n 200
	@tests/vm/run.sh -k 6.12,7 -p ash+busybox -c crashtrace \
		-a 'memmap=1M$$0x18000000 trace_instance=crash^traceoff@0x18000000:1M'
	@tests/vm/run.sh -k 6.12,7 -p ash+busybox -c crashtrace \
		-a 'reserve_mem=1M:4096:label trace_instance=crash^traceoff@label'
	@tests/crash/run.sh -a && tests/crash/restore.sh && tests/crash/boots.sh

test-crash-long:
	@tests/crash/long.sh

# A 32-bit big-endian PowerPC board with the recorder; its kernel is built first, once: 10 to 20 minutes.
test-ppc:
	@tests/crash/ppc.sh

# A 64-bit big-endian machine, of Debian's s390x port: a download of 120 MB, and some minutes.
test-s390x:
	@tests/crash/s390x.sh

fuzz:
	@tests/fuzz/run.sh 600

# Speed and cost, as ratios in one guest: a table, and bench.tsv. Fails on no figure. tests/bench/README.md
bench: helper
	@tests/deps.sh && tests/bench/run.sh

# Commands, library, pages, examples, and tracemem where "make helper" has built it.
install:
	@$(places) tools/install.sh install

uninstall:
	@$(places) tools/install.sh uninstall

# One self-contained file, to be pasted or fetched onto a target: make bundle TOOL=funccount >funccount
bundle:
	@tools/bundle.sh "$(TOOL)"

# For a target: build/fieldtrace-ARCH.tar.gz with commands, static tracemem, examples. ARCH: amd64 arm64 armhf ppc mips
kit:
	@tools/kit.sh "$(ARCH)" "$(OUT)"

# Each of them, and whether its tracemem decodes what this machine's does.
test-kit:
	@tests/deps.sh kit && tests/kit.sh

# The Debian package, in a copy of the sources.
test-packages:
	@tests/deps.sh packages && tests/packages.sh

clean:
	$(MAKE) -C helper clean

.PHONY: all examples helper helper-static demo test test-all test-crash test-crash-long test-ppc test-s390x fuzz lint unit vm \
	bench install uninstall bundle kit test-bundle test-kit test-packages clean
