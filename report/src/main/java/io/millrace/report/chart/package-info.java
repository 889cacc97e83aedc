/** Charts, painted as vectors. */
@NullMarked
package io.millrace.report.chart;

import org.jspecify.annotations.NullMarked;
