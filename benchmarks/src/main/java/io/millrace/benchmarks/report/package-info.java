/** Tables of figures as text. */
@NullMarked
package io.millrace.benchmarks.report;

import org.jspecify.annotations.NullMarked;
