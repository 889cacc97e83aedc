/**
 * Continuous workflows: triggers whose events start executions, on one executor at a time, for
 * ever. Compiled into workflow definitions; begin reading with {@link
 * io.millrace.continuous.Trigger}.
 */
@NullMarked
package io.millrace.continuous;

import org.jspecify.annotations.NullMarked;
