/** What tests of workflows need: a clock that is set by hand and a store that lives in memory. */
@NullMarked
package io.millrace.testing;

import org.jspecify.annotations.NullMarked;
