/** Tests of continuous workflows, their triggers, and their stored state. */
@NullMarked
package io.millrace.verification.continuous;

import org.jspecify.annotations.NullMarked;
