/**
 * Bridge between jobs and workflows, for applications that use both: {@link
 * io.millrace.redis.bridge.WorkflowBridge}. The database is authoritative: an action that is
 * repeated on one side has a single effect on the other. This package is above the module's root
 * package; no other package of the module uses a running {@link io.millrace.Engine}.
 */
@NullMarked
package io.millrace.redis.bridge;

import org.jspecify.annotations.NullMarked;
