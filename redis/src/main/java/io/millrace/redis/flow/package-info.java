/**
 * The values that users write: {@link io.millrace.redis.flow.Flow flows} of queues, and the input
 * and result of handlers. Pure values.
 */
@NullMarked
package io.millrace.redis.flow;

import org.jspecify.annotations.NullMarked;
