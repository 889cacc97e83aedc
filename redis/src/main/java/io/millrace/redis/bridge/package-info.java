/**
 * Bridge between jobs and workflows, for applications that use both: {@link
 * io.millrace.redis.bridge.WorkflowBridge}. The database is authoritative: an action that is
 * repeated on one side has a single effect on the other. This package is above the module's root
 * package. It alone calls a {@link io.millrace.WorkflowClient}; the package {@code trigger} only
 * implements an interface of the engine.
 */
@NullMarked
package io.millrace.redis.bridge;

import org.jspecify.annotations.NullMarked;
