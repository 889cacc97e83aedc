/**
 * Small mechanisms of starting, pausing and stopping: the engine's only access to time, threads and
 * waiting. Production uses {@link io.millrace.lifecycle.ThreadRunner}; tests and simulations have
 * their own {@link io.millrace.lifecycle.Runner}. Independent of workflows.
 */
@NullMarked
package io.millrace.lifecycle;

import org.jspecify.annotations.NullMarked;
