package io.millrace.tests.data;

import static io.millrace.data.ChangeType.CHANGED;
import static io.millrace.data.ChangeType.NEW;
import static io.millrace.data.ChangeType.RESERVED;
import static io.millrace.data.ChangeType.UNCHANGED;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.data.ChangeType;
import io.millrace.data.ReduceGroup;
import io.millrace.data.ReduceRecordState;
import io.millrace.data.ReduceToken;
import io.millrace.fixtures.store.RaceRunner;
import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.fixtures.store.StoreKind;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ReduceStore;
import io.millrace.store.ReduceStore.Commit;
import io.millrace.store.ReduceStore.Comparison;
import io.millrace.store.ReduceStore.ComparisonResult;
import io.millrace.store.ReduceStore.FollowUp;
import io.millrace.store.ReduceStore.HashedRecord;
import io.millrace.store.ReduceStore.MissingRecord;
import io.millrace.store.ReduceStore.TrimResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ReduceContractTest extends StoreContract {

  private static final int PART = ReduceStore.ROWS_PER_PART;

  private static final FollowUp NOTHING = new FollowUp.None();

  /**
   * Number of records. H2 takes 60,000 in an array, so the last of these need another statement;
   * the other stores need one for any of these numbers.
   */
  private final int count;

  ReduceContractTest(StoreFixture subject) {
    super(subject);
    count = subject.kind() == StoreKind.H2 ? 60_100 : 3_100;
  }

  /** Returns records from texts such as "a=1". */
  private static List<HashedRecord> items(String... records) {
    return Stream.of(records)
        .map(record -> record.split("="))
        .map(parts -> new HashedRecord(parts[0], parts[1], "key " + parts[0]))
        .toList();
  }

  private ComparisonResult compare(FollowUp followUp, String... records) {
    return store
        .role(ReduceStore.class)
        .compare(new Comparison(group, items(records), followUp, false), null)
        .orElseThrow();
  }

  private List<ChangeType> changes(FollowUp followUp, String... records) {
    return compare(followUp, records).changes();
  }

  private FollowUp reserve(String owner) {
    return new FollowUp.Reserve(owner, HOUR);
  }

  private List<ReduceToken> tokens(ComparisonResult comparisonResult, String... records) {
    return items(records).stream()
        .map(i ->
            new ReduceToken(
                i.keyHash(),
                i.valueHash(),
                comparisonResult.generation(),
                comparisonResult.sourceSeq()))
        .toList();
  }

  /** Trims in one part, and returns the number of forgotten records. */
  private int trim(@Nullable Duration retention, long most) {
    TrimResult trimmed = store.role(ReduceStore.class).trim(group, retention, most);
    assertThat(trimmed.more()).isFalse();
    return trimmed.forgotten();
  }

  private void assertTrimmedPart(@Nullable Duration retention, long most, int forgotten) {
    assertThat(store.role(ReduceStore.class).trim(group, retention, most))
        .isEqualTo(new TrimResult(forgotten, true));
  }

  private long committed() {
    return store.role(ReduceStore.class).find(group).orElseThrow().committed();
  }

  private boolean commit(ComparisonResult comparisonResult, String... records) {
    return store
        .role(ReduceStore.class)
        .commit(new Commit(group, tokens(comparisonResult, records), 7L), null);
  }

  @Test
  void whatIsNewOrChangedIsTold() {
    assertThat(changes(NOTHING, "a=1", "b=1")).containsExactly(NEW, NEW);
    commit(compare(NOTHING, "a=1", "b=1"), "a=1", "b=1");

    assertThat(changes(NOTHING, "b=1", "c=1", "a=2")).containsExactly(UNCHANGED, NEW, CHANGED);
  }

  @Test
  void comparingCommitsNothingUnlessAsked() {
    changes(NOTHING, "a=1");
    assertThat(changes(NOTHING, "a=1")).containsExactly(NEW);

    assertThat(changes(new FollowUp.CommitNow(9L), "a=1")).containsExactly(NEW);
    assertThat(changes(new FollowUp.CommitNow(9L), "a=1")).containsExactly(UNCHANGED);
    assertThat(changes(new FollowUp.CommitNow(9L), "a=2")).containsExactly(CHANGED);
    assertThat(changes(new FollowUp.CommitNow(9L), "a=1")).containsExactly(CHANGED);
  }

  @Test
  void whoOnlyLooksLeavesNoTrace() {
    FollowUp look = new FollowUp.DryRun();
    assertThat(changes(look, "a=1", "b=1")).containsExactly(NEW, NEW);
    assertThat(store.role(ReduceStore.class).find(group)).isEmpty();

    commit(compare(NOTHING, "a=1", "b=1"), "a=1", "b=1");
    changes(reserve("one"), "c=1");
    ReduceGroup before = store.role(ReduceStore.class).find(group).orElseThrow();
    advance(HOUR.dividedBy(2));
    assertThat(changes(look, "a=1", "b=2", "c=1", "d=1"))
        .containsExactly(UNCHANGED, CHANGED, RESERVED, NEW);
    assertThat(store.role(ReduceStore.class).find(group)).contains(before);
  }

  @Test
  void aReservedRecordIsNotGivenToOthers() {
    assertThat(changes(reserve("one"), "a=1", "b=1")).containsExactly(NEW, NEW);

    assertThat(changes(reserve("two"), "a=1", "b=2", "c=1"))
        .containsExactly(RESERVED, RESERVED, NEW);
    assertThat(changes(NOTHING, "a=1")).containsExactly(RESERVED);
    assertThat(changes(reserve("one"), "a=1")).containsExactly(NEW);
    advance(HOUR);
    assertThat(changes(reserve("two"), "a=1")).containsExactly(NEW);
  }

  @Test
  void aReleasedRecordIsWhatItWasBefore() {
    commit(compare(NOTHING, "a=1"), "a=1");
    compare(reserve("one"), "a=2", "b=1");

    assertThat(store.role(ReduceStore.class).release(group, "two", List.of("a", "b"))).isZero();
    assertThat(store.role(ReduceStore.class).release(group, "one", List.of("a"))).isEqualTo(1);
    assertThat(changes(NOTHING, "a=1", "a=2", "b=1")).containsExactly(UNCHANGED, CHANGED, RESERVED);
    assertThat(store.role(ReduceStore.class).release(group, "one", List.of("a", "b"))).isEqualTo(1);
    assertThat(changes(NOTHING, "b=1")).containsExactly(NEW);
  }

  @Test
  void aCommitEndsTheReservationOfWhatItCommits() {
    ComparisonResult first = compare(reserve("one"), "a=1", "b=1");
    commit(first, "a=1");

    assertThat(changes(reserve("two"), "a=1", "a=2", "b=1"))
        .containsExactly(UNCHANGED, CHANGED, RESERVED);
  }

  @Test
  void anOlderTokenNeverOverwritesANewerOne() {
    ComparisonResult older = compare(NOTHING, "a=1");
    ComparisonResult newer = compare(NOTHING, "a=2");
    commit(newer, "a=2");
    commit(older, "a=1");

    assertThat(changes(NOTHING, "a=2", "a=1")).containsExactly(UNCHANGED, CHANGED);
  }

  @Test
  void aResetForgetsAllAndVoidsTokens() {
    ComparisonResult before = compare(NOTHING, "a=1", "b=1");
    commit(before, "a=1");

    int generation = store.role(ReduceStore.class).reset(group);

    assertThat(generation).isEqualTo(before.generation() + 1);
    commit(before, "b=1");
    assertThat(changes(NOTHING, "a=1", "b=1")).containsExactly(NEW, NEW);
    commit(compare(NOTHING, "a=1"), "a=1");
    while (store.role(ReduceStore.class).deleteObsolete(1) > 0) {
      assertThat(changes(NOTHING, "a=1")).containsExactly(UNCHANGED);
    }
  }

  @Test
  void theBaseOfAComparisonChangesWithEachCommitAndIsNotForgotten() {
    List<String> bases = new ArrayList<>();
    for (String value : List.of("a=1", "a=2", "a=1")) {
      ComparisonResult comparisonResult = compare(NOTHING, value);
      bases.add(comparisonResult.bases().getFirst());
      assertThat(compare(reserve("one"), value).bases()).containsExactly(bases.getLast());
      commit(comparisonResult, value);
    }
    assertThat(store.role(ReduceStore.class).forget(group, List.of("a"))).isEqualTo(1);
    assertThat(store.role(ReduceStore.class).forget(group, List.of("a"))).isZero();
    assertThat(store.role(ReduceStore.class).record(group, "a")).isEmpty();
    bases.add(compare(NOTHING, "a=1").bases().getFirst());
    assertThat(bases).doesNotHaveDuplicates();
    assertThat(compare(NOTHING, "x=1", "y=1").bases())
        .containsExactly(bases.getFirst(), bases.getFirst());
  }

  @Test
  void theBaseOfADeletedRecordNeverComesAgain() {
    List<String> bases = new ArrayList<>();
    for (String record : List.of("a=1", "b=1", "a=2", "b=1", "a=1", "b=1", "a=1")) {
      store.role(ReduceStore.class).trim(group, null, 1);
      ComparisonResult comparisonResult = compare(NOTHING, record);
      bases.add(record + " " + comparisonResult.bases().getFirst());
      commit(comparisonResult, record);
    }

    assertThat(bases).doesNotHaveDuplicates();
  }

  @Test
  void theBaseOfARecordThatWasForgottenForItsAgeNeverComesAgain() {
    List<String> bases = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      store.role(ReduceStore.class).trim(group, HOUR, 0);
      ComparisonResult comparisonResult = compare(NOTHING, "a=1");
      bases.add(comparisonResult.bases().getFirst());
      commit(comparisonResult, "a=1");
      advance(HOUR.multipliedBy(i + 1)); // first forgotten, finally deleted
      advance(HOUR.dividedBy(2));
    }

    assertThat(bases).doesNotHaveDuplicates();
  }

  @Test
  void theBaseOfWhatIsPassedOnAgainIsTheSameWhateverIsDeleted() {
    compare(new FollowUp.CommitNow(null), "old=1");
    store.role(ReduceStore.class).trim(group, HOUR, 0);
    advance(HOUR.plusMinutes(50));
    store.role(ReduceStore.class).trim(group, HOUR, 0);
    List<String> bases = compare(NOTHING, "old=1", "a=1", "b=1").bases();
    compare(reserve("one"), "c=1");
    List<String> reserved = compare(reserve("one"), "c=1").bases();
    advance(Duration.ofMinutes(20));
    compare(new FollowUp.CommitNow(null), "x=1");
    assertThat(trim(HOUR, 0)).isZero();

    assertThat(compare(NOTHING, "old=1", "a=1", "b=1").bases()).isEqualTo(bases);
    assertThat(compare(reserve("one"), "c=1").bases()).isEqualTo(reserved);
    assertThat(store.role(ReduceStore.class).record(group, "a")).isEmpty();
    assertThat(store.role(ReduceStore.class).record(group, "c").orElseThrow().committed()).isNull();
  }

  @Test
  void someKeysCanBeForgotten() {
    commit(compare(NOTHING, "a=1", "b=1"), "a=1", "b=1");

    assertThat(store.role(ReduceStore.class).forget(group, List.of("a", "x"))).isEqualTo(1);
    assertThat(changes(NOTHING, "a=1", "b=1")).containsExactly(NEW, UNCHANGED);
    assertThat(store.role(ReduceStore.class).forget("no " + group, List.of("a"))).isZero();
  }

  @Test
  void aKeyThatIsNamedTwiceIsForgottenAndReleasedOnce() {
    compare(reserve("one"), "b=1");
    commit(compare(NOTHING, "a=1"), "a=1");

    assertThat(store.role(ReduceStore.class).release(group, "one", List.of("b", "b"))).isEqualTo(1);
    assertThat(store.role(ReduceStore.class).forget(group, List.of("a", "a"))).isEqualTo(1);
    assertThat(changes(NOTHING, "a=1", "b=1")).containsExactly(NEW, NEW);
  }

  /** A record keeps the time of its reservation, after which it is deleted. */
  @Test
  void aComparisonDoesNotTouchWhatAnotherHasReserved() {
    compare(NOTHING, "x=1");
    store.role(ReduceStore.class).trim(group, HOUR, 0);
    List<String> base = compare(reserve("one"), "a=1").bases();
    advance(HOUR.dividedBy(2));
    assertThat(changes(NOTHING, "a=2")).containsExactly(RESERVED);
    store.role(ReduceStore.class).release(group, "one", List.of("a"));
    advance(HOUR.plusMinutes(40));
    store.role(ReduceStore.class).trim(group, HOUR, 0);

    assertThat(compare(NOTHING, "a=1").bases()).isNotEqualTo(base);
  }

  @Test
  void whatWasCommittedLongAgoIsForgottenWhenAsked() {
    compare(new FollowUp.CommitNow(null), "a=1", "b=1", "c=1");
    compare(reserve("one"), "d=1");
    advance(HOUR);
    compare(new FollowUp.CommitNow(null), "b=2");
    compare(reserve("one"), "c=2");
    advance(HOUR.dividedBy(2));

    assertThat(trim(HOUR.multipliedBy(2), 0)).isZero();
    assertThat(trim(HOUR, 0)).isEqualTo(1);
    assertThat(changes(NOTHING, "a=1", "b=2", "c=1")).containsExactly(NEW, UNCHANGED, UNCHANGED);
    assertThat(trim(null, 0)).isZero();
    assertThat(store.role(ReduceStore.class).trim("no " + group, HOUR, 1))
        .isEqualTo(TrimResult.NONE);
  }

  @Test
  void onlyTheRecordsThatWereCommittedLastAreKeptWhenAsked() {
    compare(new FollowUp.CommitNow(null), "a=1", "b=1");
    compare(new FollowUp.CommitNow(null), "c=1");
    advance(HOUR);
    compare(new FollowUp.CommitNow(null), "d=1");
    compare(reserve("one"), "a=2", "e=1");

    assertThat(trim(null, 4)).isZero();
    assertThat(trim(null, 2)).isEqualTo(1);
    assertThat(changes(NOTHING, "a=1", "b=1", "c=1", "d=1", "e=1"))
        .containsExactly(UNCHANGED, NEW, UNCHANGED, UNCHANGED, RESERVED);
  }

  /** Returns that many records of the same content. */
  private static String[] records(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i + "=1").toArray(String[]::new);
  }

  @Test
  void oldRecordsAreForgottenAndDeletedInParts() {
    compare(new FollowUp.CommitNow(null), records("k", 2 * PART + 5));
    advance(HOUR.plusMinutes(1));
    compare(new FollowUp.CommitNow(null), "new=1");
    compare(reserve("one"), "k0=2");

    assertTrimmedPart(HOUR, 0, PART);
    assertThat(committed()).isEqualTo(PART + 6);
    assertTrimmedPart(HOUR, 0, PART);
    assertThat(trim(HOUR, 0)).as("all but the reserved one").isEqualTo(4);
    assertThat(committed()).isEqualTo(2);
    assertThat(changes(NOTHING, "new=1", "k1=1")).containsExactly(UNCHANGED, NEW);

    List<String> base = compare(NOTHING, "never=1").bases();
    advance(HOUR.plusMinutes(1));
    assertTrimmedPart(HOUR, 0, 2); // with the reserved one, whose time is over
    List<String> next = compare(NOTHING, "not yet=1").bases();
    assertThat(next).as("each part has deleted records").isNotEqualTo(base);
    assertTrimmedPart(HOUR, 0, 0);
    assertThat(compare(NOTHING, "nor yet=1").bases()).isNotIn(base, next);
    assertThat(trim(HOUR, 0)).isZero();
    List<String> last = compare(NOTHING, "last=1").bases();
    assertThat(trim(HOUR, 0)).isZero();
    assertThat(compare(NOTHING, "last of all=1").bases()).as("nothing was left").isEqualTo(last);
  }

  @Test
  void recordsBeyondTheMaximumAreForgottenAndDeletedInPartsTheOldestFirst() {
    compare(new FollowUp.CommitNow(null), records("old", PART));
    compare(new FollowUp.CommitNow(null), records("k", PART + 5));
    advance(Duration.ofMinutes(1));
    compare(new FollowUp.CommitNow(null), "a=1", "b=1");

    assertTrimmedPart(null, 2, PART);
    assertThat(changes(NOTHING, "old0=1", "k0=1")).containsExactly(NEW, UNCHANGED);
    assertTrimmedPart(null, 2, PART);
    assertTrimmedPart(null, 2, 5);
    assertThat(committed()).isEqualTo(2);
    assertTrimmedPart(null, 2, 0);
    assertThat(trim(null, 2)).isZero();
    assertThat(changes(NOTHING, "a=1", "b=1")).containsExactly(UNCHANGED, UNCHANGED);
  }

  @Test
  void ofManyWhoTrimNoneForgetsMoreThanIsTooMuch() {
    compare(new FollowUp.CommitNow(null), records("k", PART + 50));
    try (RaceRunner raceRunner = new RaceRunner(4)) {
      List<Integer> forgotten =
          raceRunner.race(i ->
              () -> {
                int all = 0;
                for (TrimResult part = new TrimResult(0, true); part.more(); ) {
                  part = store.role(ReduceStore.class).trim(group, null, 10);
                  all += part.forgotten();
                }
                return all;
              });
      assertThat(forgotten.stream().mapToInt(i -> i).sum()).isEqualTo(PART + 40);
    }
    assertThat(committed()).isEqualTo(10);
  }

  @Test
  void whatIsMissingInAFullSnapshotIsTold() {
    compare(new FollowUp.CommitNow(null), "a=1", "b=1", "c=1");
    compare(reserve("one"), "d=1");

    ComparisonResult comparisonResult =
        store
            .role(ReduceStore.class)
            .compare(new Comparison(group, items("b=1", "e=1"), NOTHING, true), null)
            .orElseThrow();

    assertThat(comparisonResult.stored()).isEqualTo(3);
    assertThat(comparisonResult.missing())
        .containsExactlyInAnyOrder(
            new MissingRecord("a", "key a"), new MissingRecord("c", "key c"));
    store
        .role(ReduceStore.class)
        .commit(new Commit(group, List.of(), List.of("a", "c"), null), null);
    assertThat(changes(NOTHING, "a=1", "b=1")).containsExactly(NEW, UNCHANGED);
  }

  @Test
  void aRecordTellsWhyItIsPassedOver() {
    commit(compare(NOTHING, "a=1"), "a=1");
    compare(reserve("one"), "a=2");

    assertThat(store.role(ReduceStore.class).record(group, "a"))
        .contains(
            new ReduceRecordState(
                "a",
                "key a",
                "1",
                1,
                now(),
                7L,
                new ReduceRecordState.Pending("one", "2", now().plus(HOUR))));
    advance(HOUR);
    assertThat(store.role(ReduceStore.class).record(group, "a").orElseThrow().pending()).isNull();
    assertThat(store.role(ReduceStore.class).record(group, "x")).isEmpty();
    assertThat(store.role(ReduceStore.class).record("no " + group, "a")).isEmpty();
  }

  @Test
  void groupsCountWhatTheyHold() {
    assertThat(store.role(ReduceStore.class).find(group)).isEmpty();
    compare(new FollowUp.CommitNow(null), "a=1", "b=1");
    compare(reserve("one"), "b=2", "c=1");

    ReduceGroup found = store.role(ReduceStore.class).find(group).orElseThrow();
    assertThat(found).isEqualTo(new ReduceGroup(group, 1, 2, 2, now(), now()));
    List<String> names = new ArrayList<>();
    for (List<ReduceGroup> page = store.role(ReduceStore.class).groups(null, 2);
        !page.isEmpty(); ) {
      page.forEach(g -> names.add(g.name()));
      page = store.role(ReduceStore.class).groups(names.getLast(), 2);
    }
    assertThat(names).isSorted().contains(group);
  }

  @Test
  void nothingIsWrittenOnceTheFenceIsPassed() {
    WorkflowInstance held = startAndClaim();
    ComparisonResult comparisonResult = compare(NOTHING, "a=1");
    saveAccepted(transitionOf(held).to("next").due(SOON));

    assertThat(
            store
                .role(ReduceStore.class)
                .compare(
                    new Comparison(group, items("a=1"), new FollowUp.CommitNow(1L), false),
                    fence(held)))
        .isEmpty();
    assertThat(
            store
                .role(ReduceStore.class)
                .commit(new Commit(group, tokens(comparisonResult, "a=1"), 1L), fence(held)))
        .isFalse();
    assertThat(changes(NOTHING, "a=1")).containsExactly(NEW);
  }

  @Test
  void ofManyWhoReserveEachRecordIsGivenToOne() {
    String[] records =
        Stream.iterate(0, i -> i + 1).limit(50).map(i -> "k" + i + "=1").toArray(String[]::new);
    try (RaceRunner raceRunner = new RaceRunner(6)) {
      List<List<ChangeType>> answers =
          raceRunner.race(i -> () -> changes(reserve("owner " + i), records));
      for (int record = 0; record < records.length; record++) {
        int place = record;
        assertThat(answers.stream().map(a -> a.get(place)).filter(ChangeType::isDue))
            .as("who got %s", records[record])
            .hasSize(1);
      }
    }
  }

  /**
   * Returns records of which two in each thousand have {@code value}, including the last of an
   * array and the next one.
   */
  private String[] many(int value) {
    return IntStream.range(0, count)
        .mapToObj(i -> "k" + i + "=" + (isChanged(i) ? value : 1))
        .toArray(String[]::new);
  }

  private List<ChangeType> someChanged() {
    return IntStream.range(0, count).mapToObj(i -> isChanged(i) ? CHANGED : UNCHANGED).toList();
  }

  private static boolean isChanged(int number) {
    return number % 1_000 == 999 || number % 1_000 == 0;
  }

  @Test
  @Tag("races")
  void moreRecordsThanAnArrayTakesAreReleasedComparedAndForgottenInOneCall() {
    List<String> keys = IntStream.range(0, count).mapToObj(i -> "k" + i).toList();
    compare(reserve("one"), many(1));
    assertThat(store.role(ReduceStore.class).release(group, "one", keys)).isEqualTo(count);
    compare(new FollowUp.CommitNow(null), many(1));

    assertThat(compare(NOTHING, many(2)).changes()).isEqualTo(someChanged());

    assertThat(store.role(ReduceStore.class).forget(group, keys)).isEqualTo(count);
  }

  @Test
  @Tag("races")
  void manyKeysAreNamedAndManyTokensCommittedInOneCall() {
    List<HashedRecord> unnamed =
        items(many(1)).stream()
            .map(i -> new HashedRecord(i.keyHash(), i.valueHash(), null))
            .toList();
    store
        .role(ReduceStore.class)
        .compare(new Comparison(group, unnamed, new FollowUp.CommitNow(null), false), null);

    ComparisonResult full =
        store
            .role(ReduceStore.class)
            .compare(new Comparison(group, items(many(2)), NOTHING, true), null)
            .orElseThrow();

    assertThat(full.changes()).isEqualTo(someChanged());
    assertThat(full.missing()).isEmpty();
    assertThat(commit(full, many(2))).isTrue();
    assertThat(changes(NOTHING, many(2))).isEqualTo(Collections.nCopies(count, UNCHANGED));
    for (int number : new int[] {0, 1, count - 101, count - 100, count - 1}) {
      String key = "k" + number;
      assertThat(store.role(ReduceStore.class).record(group, key).orElseThrow().keyText())
          .isEqualTo("key " + key);
    }
  }

  @Test
  void aKeyThatComesTwiceIsWrittenOnce() {
    assertThat(changes(new FollowUp.CommitNow(null), "a=1", "a=2")).containsExactly(NEW, NEW);
    assertThat(changes(reserve("one"), "a=3", "a=4")).containsExactly(CHANGED, CHANGED);
    assertThat(
            Map.of(
                "pending",
                store.role(ReduceStore.class).record(group, "a").orElseThrow().pending()))
        .containsValue(new ReduceRecordState.Pending("one", "4", now().plus(HOUR)));
  }
}
