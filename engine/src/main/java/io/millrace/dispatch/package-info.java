/**
 * The engine at work: claims due instances, runs their handlers, saves the answers, keeps the
 * leases, takes over from dead executors. {@link io.millrace.dispatch.InstanceExecutor} is the only
 * entry; the rest may change freely. Everything that takes time, threads or chance comes from
 * {@link io.millrace.lifecycle.EngineRuntime}.
 */
@NullMarked
package io.millrace.dispatch;

import org.jspecify.annotations.NullMarked;
