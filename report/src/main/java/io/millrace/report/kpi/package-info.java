/**
 * Key performance indicators: their definitions, how they are computed for a window, and the rules
 * that put the figures into words.
 */
@NullMarked
package io.millrace.report.kpi;

import org.jspecify.annotations.NullMarked;
