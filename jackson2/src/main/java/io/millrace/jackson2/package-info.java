/** Writes the values of users with Jackson 2. */
@NullMarked
package io.millrace.jackson2;

import org.jspecify.annotations.NullMarked;
