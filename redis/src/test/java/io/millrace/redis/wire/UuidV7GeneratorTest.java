package io.millrace.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UuidV7GeneratorTest {

  private final AtomicLong now =
      new AtomicLong(Instant.parse("2026-11-22T21:00:00Z").toEpochMilli());
  private final UuidV7Generator ids =
      new UuidV7Generator(() -> Instant.ofEpochMilli(now.get()), new Random(1));

  @Test
  void anIdIsAUuidOfVersionSevenThatTellsItsTime() {
    String id = ids.next();

    assertThat(id).matches("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    assertThat(UuidV7Generator.timeOf(id)).contains(Instant.parse("2026-11-22T21:00:00Z"));
  }

  @Test
  void idsAscendAlsoWhenTheClockGoesBackOrAMillisecondIsFull() {
    List<String> made = new ArrayList<>();
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      made.add(ids.next());
      if (random.nextInt(1_000) == 0) {
        now.addAndGet(random.nextInt(-500, 500));
      }
    }

    assertThat(made).isSorted();
    assertThat(new HashSet<>(made)).hasSameSizeAs(made);
  }

  @Test
  void threadsNeverGetTheSame() {
    Set<String> made = ConcurrentHashMap.newKeySet();
    IntStream.range(0, 50_000).parallel().forEach(i -> made.add(ids.next()));

    assertThat(made).hasSize(50_000);
  }

  @Test
  void otherTextsHaveNoTime() {
    assertThat(UuidV7Generator.timeOf("x")).isEmpty();
    assertThat(UuidV7Generator.timeOf("")).isEmpty();
    assertThat(UuidV7Generator.timeOf("7b0f0b8e-0f0f-4f0f-8f0f-0f0f0f0f0f0f")).isEmpty();
    assertThat(UuidV7Generator.timeOf("zzzzzzzz-0f0f-7f0f-8f0f-0f0f0f0f0f0f")).isEmpty();
    // The form that the npm package generates.
    assertThat(UuidV7Generator.timeOf("019aa1d4-2a00-7000-8000-000000000000")).isPresent();
  }
}
