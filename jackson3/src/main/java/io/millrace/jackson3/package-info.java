/** Writes the values of users with Jackson 3. */
@NullMarked
package io.millrace.jackson3;

import org.jspecify.annotations.NullMarked;
