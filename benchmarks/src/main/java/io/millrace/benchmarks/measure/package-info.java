/**
 * Figures of a run: time, processor time of this process and of the server, and bytes that the
 * server wrote.
 */
@NullMarked
package io.millrace.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
