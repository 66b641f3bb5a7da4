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
              dd-230     [000] .....    15.174447: read_zero <-vfs_read
              dd-230     [000] .....    15.174475: read_zero <-vfs_read
              dd-230     [000] .....    15.174479: read_zero <-vfs_read
