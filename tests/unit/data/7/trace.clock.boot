# tracer: function
#
# entries-in-buffer/entries-written: 3/3   #P:2
#
#                                _-----=> irqs-off/BH-disabled
#                               / _----=> need-resched
#                              | / _---=> hardirq/softirq
#                              || / _--=> preempt-depth
#                              ||| / _-=> migrate-disable
#                              |||| /     delay
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
              dd-240     [001] .....    68.585341: read_zero <-vfs_read
              dd-240     [001] .....    68.585373: read_zero <-vfs_read
              dd-240     [001] .....    68.585377: read_zero <-vfs_read
