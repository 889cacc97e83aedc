/**
 * Creates, finds, reads and deletes jobs. {@link io.millrace.redis.jobs.JobStore} is the entry
 * point.
 */
@NullMarked
package io.millrace.redis.jobs;

import org.jspecify.annotations.NullMarked;
