package io.millrace.instance;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Times of an instance, all from the database's clock.
 *
 * @param created when it was started
 * @param modified when its row last changed
 * @param entered when the visit of the current state began
 * @param ended when it ended; null while it has not
 */
public record InstanceTimestamps(
    Instant created, Instant modified, Instant entered, @Nullable Instant ended) {}
