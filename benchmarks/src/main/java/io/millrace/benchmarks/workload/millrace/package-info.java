/** Workloads that measure Millrace only: scaling, costs, and startup. */
@NullMarked
package io.millrace.benchmarks.workload.millrace;

import org.jspecify.annotations.NullMarked;
