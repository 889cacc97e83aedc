/**
 * Key performance indicators: their definitions, their computation for a window, and the rules that
 * describe the figures in words.
 */
@NullMarked
package io.millrace.report.kpi;

import org.jspecify.annotations.NullMarked;
