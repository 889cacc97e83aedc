/** Workloads of continuous workflows, the period ledger, and Reduce. */
@NullMarked
package io.millrace.benchmarks.workload.continuous;

import org.jspecify.annotations.NullMarked;
