package io.millrace.data;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stored value. Times are the database's.
 *
 * @param version grows with every write of the key, from 1
 * @param expires time at which it expires; null for never
 * @param created when the key was created, or created again after a deletion
 */
public record KeyValue(
    KeyId id,
    String value,
    KeyStatus status,
    long version,
    @Nullable Instant expires,
    Instant created,
    Instant modified) {}
