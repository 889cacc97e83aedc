/**
 * The execution of instances: claims due instances, runs their handlers, saves the answers, keeps
 * the leases, and recovers instances of dead executors. {@link
 * io.millrace.dispatch.InstanceExecutor} is the main entry point; the rest may change freely. All
 * time, threads and random numbers come from {@link io.millrace.lifecycle.EngineRuntime}.
 */
@NullMarked
package io.millrace.dispatch;

import org.jspecify.annotations.NullMarked;
