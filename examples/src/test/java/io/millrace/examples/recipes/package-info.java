/** The programs of the pages in {@code docs/recipes}, with the tests of what the pages promise. */
@NullMarked
package io.millrace.examples.recipes;

import org.jspecify.annotations.NullMarked;
