/** Workloads of the Millrace server, which runs as a process of its own. */
@NullMarked
package io.millrace.benchmarks.workload.server;

import org.jspecify.annotations.NullMarked;
