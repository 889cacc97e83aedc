/** Stores of results and finished reports, by execution. */
@NullMarked
package io.millrace.report.store;

import org.jspecify.annotations.NullMarked;
