/**
 * The values that users write: {@link io.millrace.redis.flow.Flow flows} of queues, what a handler
 * is given and what it answers. Pure values.
 */
@NullMarked
package io.millrace.redis.flow;

import org.jspecify.annotations.NullMarked;
