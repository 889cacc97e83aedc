/**
 * Execution of jobs: the loop of a worker, the renewal of locks while jobs run, and the recovery of
 * jobs whose worker died. {@link io.millrace.redis.work.FlowRuntime} is the entry point.
 */
@NullMarked
package io.millrace.redis.work;

import org.jspecify.annotations.NullMarked;
