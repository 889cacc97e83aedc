/** Continuous workflows, their triggers, and what they keep. */
@NullMarked
package io.millrace.verification.continuous;

import org.jspecify.annotations.NullMarked;
