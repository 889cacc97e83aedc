/** Workloads of task sequences and schedules. */
@NullMarked
package io.millrace.benchmarks.workload.sequence;

import org.jspecify.annotations.NullMarked;
