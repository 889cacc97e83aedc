package io.millrace.server.config;

import io.millrace.continuous.RecycleSettings;
import io.millrace.lifecycle.EngineSettings;
import java.time.Duration;

/**
 * The role of this process in the cluster.
 *
 * @param recycle the recycle policy until an administrator sets one for the whole group
 * @param recyclesInPlace true if the process keeps running during a recycle
 * @param unreadyTime how long the process still answers after its executor has left for a rollout
 *     or recycle
 */
public record NodeConfig(
    EngineSettings engine,
    RecycleSettings recycle,
    boolean recyclesInPlace,
    Duration unreadyTime) {}
