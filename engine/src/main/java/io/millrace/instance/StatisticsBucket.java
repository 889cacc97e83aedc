package io.millrace.instance;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of started and ended instances in a span of time that starts with {@code start}.
 *
 * @param meanDuration from start to end of finished instances; null for none
 */
public record StatisticsBucket(
    Instant start,
    long started,
    long finished,
    long failed,
    long cancelled,
    @Nullable Duration meanDuration) {}
