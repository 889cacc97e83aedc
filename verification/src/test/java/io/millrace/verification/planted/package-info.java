/** Tests that fail on purpose; {@code script/prove check} lets {@code script/test} judge them. */
package io.millrace.verification.planted;
