/** Reads git repositories without ever writing into them, and keeps what was read in files. */
@NullMarked
package io.millrace.examples.report.git;

import org.jspecify.annotations.NullMarked;
