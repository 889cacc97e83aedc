/**
 * Administration for operators: {@link io.millrace.redis.admin.FlowAdmin} lists flows, queues and
 * jobs, and pauses, requeues and deletes. It needs no workers; any process on the same Redis can
 * use it.
 */
@NullMarked
package io.millrace.redis.admin;

import org.jspecify.annotations.NullMarked;
