/** The smallest program. */
@NullMarked
package io.millrace.examples.hello;

import org.jspecify.annotations.NullMarked;
