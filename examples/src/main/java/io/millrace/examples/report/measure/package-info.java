/** From commits to numbers. */
@NullMarked
package io.millrace.examples.report.measure;

import org.jspecify.annotations.NullMarked;
