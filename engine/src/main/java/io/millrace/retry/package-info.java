/** When to try again after a failure: pure values, no clock and no threads. */
@NullMarked
package io.millrace.retry;

import org.jspecify.annotations.NullMarked;
