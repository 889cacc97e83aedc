package io.millrace.redis.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What was told of a job belongs to the queue in which it was told. */
class PlaceTest {

  private static Place in(@Nullable String queue) {
    Place.Spot spot =
        queue == null ? null : new Place.Spot(JobList.PROCESSING, queue, null, null, null);
    return new Place(spot, 60L, Map.of("progress", "100", "toldIn", "hash"), Set.of("record"));
  }

  @Test
  void progressIsToldInItsQueueAndAtTheEnd() {
    assertThat(in("hash").told("progress")).isEqualTo("100");
    assertThat(in(null).told("progress")).isEqualTo("100");
    assertThat(in("record").told("progress")).isNull();
    assertThat(in("hash").told("note")).isNull();
  }
}
