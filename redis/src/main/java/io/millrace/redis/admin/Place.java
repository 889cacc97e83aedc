package io.millrace.redis.admin;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a job is, and what Millrace keeps of it.
 *
 * @param list null when it is in none
 * @param queue null when it is in no list
 * @param position jobs before it in the list; null unless it waits
 * @param lock null when nobody has it
 * @param ttlSeconds until Redis forgets it; null when it does not
 * @param meta fields of Millrace such as progress and note
 */
public record Place(
    @Nullable JobList list,
    @Nullable String queue,
    @Nullable Long position,
    JobPage.@Nullable Lock lock,
    @Nullable Long ttlSeconds,
    Map<String, String> meta) {}
