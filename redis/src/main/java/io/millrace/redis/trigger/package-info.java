/**
 * Elements of Redis lists that start executions of continuous workflows. {@link
 * io.millrace.redis.trigger.RedisTriggers} is the entry point.
 */
@NullMarked
package io.millrace.redis.trigger;

import org.jspecify.annotations.NullMarked;
