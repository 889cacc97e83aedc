/**
 * The configuration of the server: every key in one table, read from properties, environment and a
 * file, and handed on as immutable records.
 */
@NullMarked
package io.millrace.server.config;

import org.jspecify.annotations.NullMarked;
