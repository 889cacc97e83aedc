/**
 * Fonts of the machine for characters that the font of the reports lacks, and support of
 * right-to-left text.
 */
@NullMarked
package io.millrace.report.font;

import org.jspecify.annotations.NullMarked;
