/** Examines whether a server would run well here, and says what to do where it would not. */
@NullMarked
package io.millrace.server.doctor;

import org.jspecify.annotations.NullMarked;
