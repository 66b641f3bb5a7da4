################################################################################
#
# fieldtrace
#
################################################################################

# This clone; for a release, its version, site and method, and its hash beside
# that of the licence.
FIELDTRACE_VERSION = local
FIELDTRACE_SITE = $(BR2_EXTERNAL_FIELDTRACE_PATH)/../../..
FIELDTRACE_SITE_METHOD = local
FIELDTRACE_LICENSE = GPL-2.0-only
FIELDTRACE_LICENSE_FILES = LICENSE

define FIELDTRACE_LINUX_CONFIG_FIXUPS
	$(call KCONFIG_ENABLE_OPT,CONFIG_FTRACE)
	$(call KCONFIG_ENABLE_OPT,CONFIG_FUNCTION_TRACER)
	$(call KCONFIG_ENABLE_OPT,CONFIG_FUNCTION_GRAPH_TRACER)
	$(call KCONFIG_ENABLE_OPT,CONFIG_DYNAMIC_FTRACE)
	$(call KCONFIG_ENABLE_OPT,CONFIG_KPROBES)
	$(call KCONFIG_ENABLE_OPT,CONFIG_KPROBE_EVENTS)
endef

# A clone may hold a helper that was built for the host.
define FIELDTRACE_BUILD_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) -C $(@D) clean
	$(TARGET_MAKE_ENV) $(MAKE) $(TARGET_CONFIGURE_OPTS) -C $(@D) helper
endef

define FIELDTRACE_INSTALL_TARGET_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) -C $(@D) install PREFIX=/usr \
		DESTDIR=$(TARGET_DIR)
endef

$(eval $(generic-package))
