/** Where results and finished reports are kept, by the execution that they belong to. */
@NullMarked
package io.millrace.report.store;

import org.jspecify.annotations.NullMarked;
