package io.millrace.tests.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.data.KeyContent;
import io.millrace.data.KeyId;
import io.millrace.data.KeyQuery;
import io.millrace.data.KeyStatus;
import io.millrace.data.KeyValue;
import io.millrace.data.KeyWriteResult;
import io.millrace.data.KeyWriteResult.Fenced;
import io.millrace.data.KeyWriteResult.Refused;
import io.millrace.data.KeyWriteResult.Written;
import io.millrace.fixtures.store.RaceRunner;
import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.Page;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.Fence;
import io.millrace.store.KeyValueStore;
import io.millrace.store.KeyValueStore.Put;
import io.millrace.store.QueryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class KeyValueContractTest extends StoreContract {

  private static final Duration DAY = Duration.ofDays(1);

  KeyValueContractTest(StoreFixture subject) {
    super(subject);
  }

  private KeyId id(String key) {
    return new KeyId(group, key);
  }

  private KeyWriteResult put(Put put) {
    return store.role(KeyValueStore.class).put(put, null);
  }

  private KeyWriteResult set(String key, String value) {
    return put(Put.set(id(key), KeyContent.of(value)));
  }

  private String value(String key) {
    return store.role(KeyValueStore.class).get(id(key)).map(KeyValue::value).orElse(null);
  }

  @Test
  void aValueComesBackAsItWas() {
    KeyContent content = new KeyContent("€ '\n", KeyStatus.WARNING, HOUR);

    assertThat(put(Put.set(id("k"), content))).isEqualTo(new Written(1));

    assertThat(store.role(KeyValueStore.class).get(id("k")))
        .contains(
            new KeyValue(id("k"), "€ '\n", KeyStatus.WARNING, 1, now().plus(HOUR), now(), now()));
    assertThat(store.role(KeyValueStore.class).get(id("other"))).isEmpty();
    assertThat(store.role(KeyValueStore.class).get(new KeyId("other " + group, "k"))).isEmpty();
  }

  @Test
  void settingAgainReplacesAllOfIt() {
    Instant created = now();
    put(Put.set(id("k"), new KeyContent("a", KeyStatus.ERROR, HOUR)));
    advance(SECOND);

    assertThat(set("k", "b")).isEqualTo(new Written(2));
    assertThat(store.role(KeyValueStore.class).get(id("k")))
        .contains(new KeyValue(id("k"), "b", KeyStatus.UNKNOWN, 2, null, created, now()));
  }

  @Test
  void aPageEndsByItsBytesAndTheNextGoesOn() {
    String large = "é".repeat(KeyContent.MAX_BYTES / 2);
    int fitting = (int) (QueryStore.PAGE_BYTES / KeyContent.MAX_BYTES);
    for (int i = 0; i < fitting + 3; i++) {
      set("k" + i, large);
    }
    KeyQuery query = KeyQuery.of(group).limit(fitting + 3);

    Page<KeyValue> first = store.role(KeyValueStore.class).list(query);
    Page<KeyValue> second = store.role(KeyValueStore.class).list(query.after(first.next()));

    assertThat(ids(first)).hasSize(fitting);
    assertThat(ids(second)).hasSize(3).doesNotContainAnyElementsOf(ids(first));
    assertThat(second.next()).isNull();
    Page<KeyValue> limited = store.role(KeyValueStore.class).list(query.limit(fitting));
    assertThat(ids(limited)).isEqualTo(ids(first));
    assertThat(limited.next()).isEqualTo(first.next());
  }

  private static List<KeyId> ids(Page<KeyValue> page) {
    return page.items().stream().map(KeyValue::id).toList();
  }

  @Test
  void onlyTheFirstSetIfAbsentIsTaken() {
    assertThat(put(Put.ifAbsent(id("k"), KeyContent.of("a")))).isEqualTo(new Written(1));

    KeyWriteResult second = put(Put.ifAbsent(id("k"), KeyContent.of("b")));

    assertThat(second)
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> assertThat(refused.current()).extracting(KeyValue::value).isEqualTo("a"));
    assertThat(value("k")).isEqualTo("a");
  }

  @Test
  void aVersionIsSetOnceOnly() {
    set("k", "a");

    assertThat(put(Put.ifVersion(id("k"), 1, KeyContent.of("b")))).isEqualTo(new Written(2));
    assertThat(put(Put.ifVersion(id("k"), 1, KeyContent.of("c"))))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> assertThat(refused.current()).extracting(KeyValue::version).isEqualTo(2L));
    assertThat(put(Put.ifVersion(id("none"), 1, KeyContent.of("c")))).isEqualTo(new Refused(null));
    assertThat(value("k")).isEqualTo("b");
  }

  @Test
  void whatHasExpiredIsAbsentForEveryOperation() {
    put(Put.set(id("k"), KeyContent.of("a").expiresAfter(HOUR)));
    advance(HOUR.minusMillis(1));
    assertThat(value("k")).isEqualTo("a");
    advance(Duration.ofMillis(1));

    assertThat(value("k")).isNull();
    assertThat(store.role(KeyValueStore.class).list(KeyQuery.of(group)).items()).isEmpty();
    assertThat(store.role(KeyValueStore.class).delete(id("k"), null, null))
        .isEqualTo(new Refused(null));
    assertThat(put(Put.ifVersion(id("k"), 1, KeyContent.of("b")))).isEqualTo(new Refused(null));
    assertThat(put(Put.ifAbsent(id("k"), KeyContent.of("c")))).isEqualTo(new Written(2));
    assertThat(store.role(KeyValueStore.class).get(id("k")).orElseThrow().created())
        .isEqualTo(now());
  }

  @Test
  void aDeletedOneIsGoneAndItsVersionDoesNotComeAgain() {
    set("k", "a");

    assertThat(store.role(KeyValueStore.class).delete(id("k"), 7L, null))
        .isInstanceOf(Refused.class);
    assertThat(store.role(KeyValueStore.class).delete(id("k"), 1L, null)).isEqualTo(new Written(1));
    assertThat(value("k")).isNull();
    assertThat(store.role(KeyValueStore.class).delete(id("k"), null, null))
        .isEqualTo(new Refused(null));
    assertThat(put(Put.ifAbsent(id("k"), KeyContent.of("b")))).isEqualTo(new Written(2));
    assertThat(put(Put.ifVersion(id("k"), 1, KeyContent.of("c")))).isInstanceOf(Refused.class);
  }

  @Test
  void rowsOfExpiredValuesGoAfterADayInBatches() {
    advance(DAY.multipliedBy(9));
    store.role(KeyValueStore.class).deleteExpired(1_000);
    for (String key : List.of("a", "b", "c")) {
      put(Put.set(id(key), KeyContent.of(key).expiresAfter(HOUR)));
    }
    set("kept", "v");
    advance(HOUR.plus(DAY).minusMillis(1));
    assertThat(store.role(KeyValueStore.class).deleteExpired(10)).isZero();
    advance(Duration.ofMillis(1));

    assertThat(store.role(KeyValueStore.class).deleteExpired(2)).isEqualTo(2);
    assertThat(store.role(KeyValueStore.class).deleteExpired(2)).isEqualTo(1);
    assertThat(set("a", "again")).isEqualTo(new Written(1));
    assertThat(value("kept")).isEqualTo("v");
  }

  @Test
  void aRepeatedWriteOfTheSameWriterIsDoneOnce() {
    Put first = Put.ifAbsent(id("k"), KeyContent.of("a")).writer("w1");
    assertThat(put(first)).isEqualTo(new Written(1));
    assertThat(put(first)).isEqualTo(new Written(1));

    Put next = Put.ifVersion(id("k"), 1, KeyContent.of("b")).writer("w2");
    assertThat(put(next)).isEqualTo(new Written(2));
    assertThat(put(next)).isEqualTo(new Written(2));
    assertThat(put(first)).isInstanceOf(Refused.class);
  }

  @Test
  void namesOfAnyLengthAndSignsAreKeptApart() {
    String lengthy = "ü😀".repeat(333);
    KeyId one = new KeyId(group + lengthy.substring(0, 900), lengthy);
    KeyId other = new KeyId(one.group(), lengthy.substring(0, 996) + "x");
    KeyId upper = new KeyId(one.group(), "K");
    KeyId lower = new KeyId(one.group(), "k");
    for (KeyId id : List.of(one, other, upper, lower)) {
      put(Put.ifAbsent(id, KeyContent.of(id.key())));
    }

    for (KeyId id : List.of(one, other, upper, lower)) {
      assertThat(store.role(KeyValueStore.class).get(id)).map(KeyValue::value).contains(id.key());
    }
    String most = "x".repeat(KeyContent.MAX_BYTES);
    put(Put.set(one, KeyContent.of(most)));
    assertThat(store.role(KeyValueStore.class).get(one)).map(KeyValue::value).contains(most);
  }

  @Test
  void aGroupIsListedNewestFirstInPages() {
    Instant begin = now();
    for (int i = 0; i < 7; i++) {
      set("k" + i, "v" + i);
      if (i % 2 == 0) {
        advance(SECOND);
      }
    }
    List<String> seen = new ArrayList<>();
    KeyQuery query = KeyQuery.of(group).limit(2);
    Page<KeyValue> page = store.role(KeyValueStore.class).list(query);
    page.items().forEach(v -> seen.add(v.id().key()));
    while (page.next() != null) {
      page = store.role(KeyValueStore.class).list(query.after(page.next()));
      page.items().forEach(v -> seen.add(v.id().key()));
    }

    assertThat(seen)
        .containsExactlyInAnyOrder("k0", "k1", "k2", "k3", "k4", "k5", "k6")
        .endsWith("k0");
    assertThat(seen.subList(0, 2)).containsExactlyInAnyOrder("k6", "k5");
    assertThat(
            store
                .role(KeyValueStore.class)
                .list(KeyQuery.of(group).between(begin, begin.plus(SECOND)))
                .items())
        .extracting(v -> v.id().key())
        .containsExactly("k0");
    assertThat(
            store
                .role(KeyValueStore.class)
                .list(KeyQuery.of(group).between(begin.plus(SECOND), null))
                .items())
        .hasSize(6);
  }

  @Test
  void aListCanBeOfSomeStatuses() {
    for (KeyStatus status : KeyStatus.values()) {
      put(Put.set(id(status.code()), KeyContent.of("v").status(status)));
    }

    assertThat(
            store
                .role(KeyValueStore.class)
                .list(KeyQuery.of(group).statuses(KeyStatus.ERROR, KeyStatus.WARNING))
                .items())
        .extracting(KeyValue::status)
        .containsExactlyInAnyOrder(KeyStatus.ERROR, KeyStatus.WARNING);
  }

  @Test
  void groupsAreFoundOneAfterTheOther() {
    put(Put.set(new KeyId(group + "a", "k"), KeyContent.of("v")));
    put(Put.set(new KeyId(group + "a", "l"), KeyContent.of("v")));
    put(Put.set(new KeyId(group + "b", "k"), KeyContent.of("v")));

    List<String> all = new ArrayList<>();
    String after = null;
    for (List<String> page = store.role(KeyValueStore.class).groups(after, 1); !page.isEmpty(); ) {
      all.addAll(page);
      page = store.role(KeyValueStore.class).groups(page.getLast(), 1);
    }
    assertThat(all).doesNotHaveDuplicates().contains(group + "a", group + "b");
  }

  @Test
  void nothingIsWrittenOnceTheFenceIsPassed() {
    WorkflowInstance held = startAndClaim();
    Fence fence = fence(held);
    Put put = Put.set(id("k"), KeyContent.of("mine"));
    assertThat(store.role(KeyValueStore.class).put(put, fence)).isEqualTo(new Written(1));
    saveAccepted(transitionOf(held).to("next").due(SOON));

    assertThat(store.role(KeyValueStore.class).put(Put.set(id("k"), KeyContent.of("late")), fence))
        .isEqualTo(new Fenced());
    assertThat(store.role(KeyValueStore.class).delete(id("k"), null, fence))
        .isEqualTo(new Fenced());
    assertThat(value("k")).isEqualTo("mine");
  }

  @Test
  void ofManyWhoSetIfAbsentOneIsTaken() {
    try (RaceRunner raceRunner = new RaceRunner(8)) {
      for (int round = 0; round < 20; round++) {
        KeyId id = id("race" + round);
        List<KeyWriteResult> answers =
            raceRunner.race(
                i -> (Callable<KeyWriteResult>) () -> put(Put.ifAbsent(id, KeyContent.of("" + i))));
        assertThat(answers).filteredOn(KeyWriteResult::isWritten).hasSize(1);
      }
    }
  }

  @Test
  void noIncrementIsLostAmongMany() {
    set("n", "0");
    try (RaceRunner raceRunner = new RaceRunner(8)) {
      raceRunner.race(i ->
          () -> {
            for (int done = 0; done < 10; ) {
              KeyValue now = store.role(KeyValueStore.class).get(id("n")).orElseThrow();
              String next = String.valueOf(Integer.parseInt(now.value()) + 1);
              if (put(Put.ifVersion(id("n"), now.version(), KeyContent.of(next))).isWritten()) {
                done++;
              }
            }
            return i;
          });
    }
    assertThat(value("n")).isEqualTo("80");
  }
}
