/**
 * Measures Millrace beside its peers on one private PostgreSQL server. {@link
 * io.millrace.benchmarks.Benchmark} is the command; a new workload goes to {@code workload}, a new
 * engine to {@code peer}.
 */
@NullMarked
package io.millrace.benchmarks;

import org.jspecify.annotations.NullMarked;
