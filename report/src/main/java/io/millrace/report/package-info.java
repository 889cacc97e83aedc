/**
 * The report component: figures are computed, made into a PDF, and mailed, by the three tasks of
 * {@link io.millrace.report.ReportComponent}.
 */
@NullMarked
package io.millrace.report;

import org.jspecify.annotations.NullMarked;
