/**
 * What is stored of a workflow instance, as plain values: the instance itself, its history, its
 * signals, how to start and to find one. Payloads are raw JSON text here; nothing in this package
 * reads time or touches a database.
 */
@NullMarked
package io.millrace.instance;

import org.jspecify.annotations.NullMarked;
