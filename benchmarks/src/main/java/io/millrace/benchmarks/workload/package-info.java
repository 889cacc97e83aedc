/** The workloads. Each is one class with the roles that its processes run. */
@NullMarked
package io.millrace.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
