/** Complete programs that use the engine; each has a main, and a test that knows its output. */
@NullMarked
package io.millrace.examples;

import org.jspecify.annotations.NullMarked;
