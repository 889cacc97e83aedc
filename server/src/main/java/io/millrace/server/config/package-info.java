/**
 * The configuration of the server: all keys in one table, read from properties, the environment and
 * a file, and passed on as immutable records.
 */
@NullMarked
package io.millrace.server.config;

import org.jspecify.annotations.NullMarked;
