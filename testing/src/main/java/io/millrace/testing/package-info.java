/** Support for tests of workflows: a clock that is set by hand and a store in memory. */
@NullMarked
package io.millrace.testing;

import org.jspecify.annotations.NullMarked;
