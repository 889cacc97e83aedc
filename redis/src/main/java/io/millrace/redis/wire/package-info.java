/**
 * What stands in Redis: the names of the keys, the text of a field's value, and the Lua scripts.
 * The names and texts are those of the npm package {@code @guildxyz/queues}, so that its workers
 * serve the same queues. {@link io.millrace.redis.wire.RedisDialect} is the entry. Nothing here
 * talks to a server.
 */
@NullMarked
package io.millrace.redis.wire;

import org.jspecify.annotations.NullMarked;
