/** Makes, finds, reads and deletes jobs: {@link io.millrace.redis.jobs.Jobs} is the entry. */
@NullMarked
package io.millrace.redis.jobs;

import org.jspecify.annotations.NullMarked;
