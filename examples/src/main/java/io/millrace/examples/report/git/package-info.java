/**
 * Reads git repositories without ever writing to them, and keeps the collected commits in files.
 */
@NullMarked
package io.millrace.examples.report.git;

import org.jspecify.annotations.NullMarked;
