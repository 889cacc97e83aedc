/** Workloads of Redis flows, beside queues of Node.js on the same private Redis. */
@NullMarked
package io.millrace.benchmarks.workload.redis;

import org.jspecify.annotations.NullMarked;
