/**
 * Connections to the server behind the interface {@link io.millrace.redis.connect.Redis}, which is
 * all that the rest of the module knows of it; the only package that knows the driver.
 */
@NullMarked
package io.millrace.redis.connect;

import org.jspecify.annotations.NullMarked;
