/** A business process with a signal, a timer, retries and compensation. */
@NullMarked
package io.millrace.examples.order;

import org.jspecify.annotations.NullMarked;
