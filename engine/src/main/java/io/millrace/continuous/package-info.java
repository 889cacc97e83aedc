/**
 * Continuous workflows: always-running triggers whose events start executions, on one executor at a
 * time. Start reading with {@link io.millrace.continuous.Trigger}.
 */
@NullMarked
package io.millrace.continuous;

import org.jspecify.annotations.NullMarked;
