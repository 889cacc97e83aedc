/**
 * Values that describe an instance: its state, history and signals, and requests that start and
 * find instances. Payloads are raw JSON text; nothing here reads the time or touches a database.
 */
@NullMarked
package io.millrace.instance;

import org.jspecify.annotations.NullMarked;
