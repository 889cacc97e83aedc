/**
 * Fonts of the machine for characters that the font of the reports lacks, and text that is written
 * from right to left.
 */
@NullMarked
package io.millrace.report.font;

import org.jspecify.annotations.NullMarked;
