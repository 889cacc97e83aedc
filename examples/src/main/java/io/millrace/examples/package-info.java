/** Complete programs that use the engine; each has a main class, and a test of its output. */
@NullMarked
package io.millrace.examples;

import org.jspecify.annotations.NullMarked;
