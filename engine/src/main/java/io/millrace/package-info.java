/**
 * The public entry points: {@link io.millrace.Engine} and its builder, and {@link
 * io.millrace.WorkflowClient}, through which applications start, control and read instances. No
 * other package of the engine imports this one.
 */
@NullMarked
package io.millrace;

import org.jspecify.annotations.NullMarked;
