/**
 * PDF documents from templates of HTML and CSS. A template can reach nothing but its own folder.
 */
@NullMarked
package io.millrace.report.pdf;

import org.jspecify.annotations.NullMarked;
