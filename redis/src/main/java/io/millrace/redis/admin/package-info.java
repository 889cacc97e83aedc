/**
 * What operators see and do: {@link io.millrace.redis.admin.FlowAdmin} lists flows, queues and
 * jobs, and pauses, requeues and deletes. Knows no workers; any process on the same Redis may ask.
 */
@NullMarked
package io.millrace.redis.admin;

import org.jspecify.annotations.NullMarked;
