/**
 * The report component. The three tasks of {@link io.millrace.report.ReportComponent} compute
 * figures, make a PDF of them, and mail it.
 */
@NullMarked
package io.millrace.report;

import org.jspecify.annotations.NullMarked;
