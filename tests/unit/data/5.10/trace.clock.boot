# tracer: function
#
# entries-in-buffer/entries-written: 3/3   #P:2
#
#                                _-----=> irqs-off
#                               / _----=> need-resched
#                              | / _---=> hardirq/softirq
#                              || / _--=> preempt-depth
#                              ||| /     delay
#           TASK-PID     CPU#  ||||   TIMESTAMP  FUNCTION
#              | |         |   ||||      |         |
              dd-218     [000] ....    18.767160: read_zero <-vfs_read
              dd-218     [000] ....    18.767190: read_zero <-vfs_read
              dd-218     [000] ....    18.767193: read_zero <-vfs_read
