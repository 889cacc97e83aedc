/** Mail with attachments over SMTP. */
@NullMarked
package io.millrace.report.mail;

import org.jspecify.annotations.NullMarked;
