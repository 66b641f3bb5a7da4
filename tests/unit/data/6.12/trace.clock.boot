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
              dd-280     [001] .....    44.394167: read_zero <-vfs_read
              dd-280     [001] .....    44.394193: read_zero <-vfs_read
              dd-280     [001] .....    44.394197: read_zero <-vfs_read
