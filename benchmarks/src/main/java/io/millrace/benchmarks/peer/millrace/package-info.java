/** Millrace itself, at its default settings. */
@NullMarked
package io.millrace.benchmarks.peer.millrace;

import org.jspecify.annotations.NullMarked;
