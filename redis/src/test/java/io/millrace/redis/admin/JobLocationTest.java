package io.millrace.redis.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that a report about a job belongs to the queue in which it was made. */
class JobLocationTest {

  private static JobLocation in(@Nullable String queue) {
    JobLocation.ListEntry listEntry =
        queue == null
            ? null
            : new JobLocation.ListEntry(JobList.PROCESSING, queue, null, null, null);
    return new JobLocation(
        listEntry, 60L, Map.of("progress", "100", "toldIn", "hash"), Set.of("record"));
  }

  @Test
  void progressIsToldInItsQueueAndAtTheEnd() {
    assertThat(in("hash").reported("progress")).isEqualTo("100");
    assertThat(in(null).reported("progress")).isEqualTo("100");
    assertThat(in("record").reported("progress")).isNull();
    assertThat(in("hash").reported("note")).isNull();
  }
}
