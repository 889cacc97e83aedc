/**
 * The roof: {@link io.millrace.Engine} and how to build it, and {@link io.millrace.WorkflowClient},
 * through which applications start, steer and look at instances. Nothing below imports this
 * package.
 */
@NullMarked
package io.millrace;

import org.jspecify.annotations.NullMarked;
