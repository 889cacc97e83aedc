/**
 * Connections to the server. The rest of the module uses them through the interface {@link
 * io.millrace.redis.connect.Redis}. This is the only package that knows the bytes of the protocol
 * RESP2.
 */
@NullMarked
package io.millrace.redis.connect;

import org.jspecify.annotations.NullMarked;
