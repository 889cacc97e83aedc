/**
 * Tests that fail on purpose; {@code script/prove check} verifies that {@code script/test} reports
 * them.
 */
package io.millrace.planted;
