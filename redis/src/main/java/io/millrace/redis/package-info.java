/**
 * Redis flows: jobs that go from queue to queue of a {@link io.millrace.redis.flow.Flow}, on the
 * same Redis, and on the same queues, as the npm package {@code @guildxyz/queues}. They need no SQL
 * database. {@link io.millrace.redis.RedisFlows} is the entry point.
 */
@NullMarked
package io.millrace.redis;

import org.jspecify.annotations.NullMarked;
