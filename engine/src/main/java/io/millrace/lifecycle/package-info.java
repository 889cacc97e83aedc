/**
 * Tiny mechanisms of starting, resting and stopping: the engine's only access to time, threads and
 * waiting. Production uses {@link io.millrace.lifecycle.ThreadRunner}; tests and simulations bring
 * their own {@link io.millrace.lifecycle.Runner}. Nothing here knows workflows.
 */
@NullMarked
package io.millrace.lifecycle;

import org.jspecify.annotations.NullMarked;
