/** Computes measures from commits. */
@NullMarked
package io.millrace.examples.report.measure;

import org.jspecify.annotations.NullMarked;
