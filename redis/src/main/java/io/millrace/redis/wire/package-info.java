/**
 * The data format in Redis: the names of the keys, the text of a field's value, and the Lua
 * scripts. The names and texts are those of the npm package {@code @guildxyz/queues}, so that its
 * workers can serve the same queues. {@link io.millrace.redis.wire.ProtocolKeys} is the entry
 * point. Nothing here connects to a server.
 */
@NullMarked
package io.millrace.redis.wire;

import org.jspecify.annotations.NullMarked;
