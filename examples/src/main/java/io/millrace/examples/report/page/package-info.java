/** Renders measures as one self-contained HTML file. */
@NullMarked
package io.millrace.examples.report.page;

import org.jspecify.annotations.NullMarked;
