/** What is measured of continuous workflows, the ledger of fires, and Reduce. */
@NullMarked
package io.millrace.benchmarks.workload.continuous;

import org.jspecify.annotations.NullMarked;
