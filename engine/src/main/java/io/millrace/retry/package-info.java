/** Retry policies: pure values without a clock or threads. */
@NullMarked
package io.millrace.retry;

import org.jspecify.annotations.NullMarked;
