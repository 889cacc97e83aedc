/** Work split among many children. */
@NullMarked
package io.millrace.examples.fanout;

import org.jspecify.annotations.NullMarked;
