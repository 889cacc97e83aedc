/** JobRunr, the free edition: a job for each step, which enqueues the job of the next step. */
@NullMarked
package io.millrace.benchmarks.peer.jobrunr;

import org.jspecify.annotations.NullMarked;
