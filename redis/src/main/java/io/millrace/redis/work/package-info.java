/**
 * Executes jobs: the loop of a worker, the locks that are extended while jobs run, and the recovery
 * of jobs whose worker died. {@link io.millrace.redis.work.FlowRuntime} is the entry.
 */
@NullMarked
package io.millrace.redis.work;

import org.jspecify.annotations.NullMarked;
