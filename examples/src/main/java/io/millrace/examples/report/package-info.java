/** A program that measures the history of a git repository, as a durable workflow. */
@NullMarked
package io.millrace.examples.report;

import org.jspecify.annotations.NullMarked;
