package io.millrace.server.config;

import io.millrace.continuous.RecycleSettings;
import io.millrace.lifecycle.EngineSettings;
import java.time.Duration;

/**
 * What this process does in the cluster.
 *
 * @param recycle until somebody says otherwise for the whole group
 * @param recyclesInPlace whether a recycle leaves the process
 * @param unreadyTime how long it still answers when its executor has left for good
 */
public record NodeConfig(
    EngineSettings engine,
    RecycleSettings recycle,
    boolean recyclesInPlace,
    Duration unreadyTime) {}
