/**
 * Between jobs and workflows, for those who have both: {@link
 * io.millrace.redis.bridge.WorkflowBridge}. The database stays the truth: what is done twice on
 * Redis' side has one effect there, and the other way round. Above the roof of the module; nothing
 * else of it knows an engine.
 */
@NullMarked
package io.millrace.redis.bridge;

import org.jspecify.annotations.NullMarked;
