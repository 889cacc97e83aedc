/** An examination of whether a server would run well here, with advice where it would not. */
@NullMarked
package io.millrace.server.doctor;

import org.jspecify.annotations.NullMarked;
