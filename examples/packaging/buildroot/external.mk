include $(sort $(wildcard $(BR2_EXTERNAL_FIELDTRACE_PATH)/package/*/*.mk))
