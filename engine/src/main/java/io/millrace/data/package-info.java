/**
 * Data that outlives an instance: key-values, the period ledger, and records seen before. Values
 * and interfaces only.
 */
@NullMarked
package io.millrace.data;

import org.jspecify.annotations.NullMarked;
