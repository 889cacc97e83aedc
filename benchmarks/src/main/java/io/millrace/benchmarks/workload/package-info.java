/** What is measured. Each workload is one class with the parts that its processes play. */
@NullMarked
package io.millrace.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
