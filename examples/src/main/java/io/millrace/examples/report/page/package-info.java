/** From numbers to one HTML file that needs nothing else. */
@NullMarked
package io.millrace.examples.report.page;

import org.jspecify.annotations.NullMarked;
