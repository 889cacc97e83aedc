/** What is measured on Millrace only: how it grows, what it costs, and how it starts. */
@NullMarked
package io.millrace.benchmarks.workload.millrace;

import org.jspecify.annotations.NullMarked;
