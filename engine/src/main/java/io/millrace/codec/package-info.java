/** Turns values into JSON text and back, within limits. Knows nothing of workflows. */
@NullMarked
package io.millrace.codec;

import org.jspecify.annotations.NullMarked;
