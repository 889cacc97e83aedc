/**
 * Task sequences: tasks that run one after another by a schedule. A sequence is compiled into a
 * workflow definition with one state for each task, so that leases, recovery, history and the user
 * interface work as for every other workflow. Channels carry messages that a task is due; the
 * database decides.
 */
@NullMarked
package io.millrace.sequence;

import org.jspecify.annotations.NullMarked;
