package io.millrace.tests.store;

import static io.millrace.tests.store.FaultCase.operation;

import io.millrace.data.KeyContent;
import io.millrace.data.KeyId;
import io.millrace.data.KeyQuery;
import io.millrace.data.PeriodClaimRequest;
import io.millrace.data.PeriodClaimResult;
import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodId;
import io.millrace.data.PeriodQuery;
import io.millrace.data.PeriodState;
import io.millrace.data.ReduceToken;
import io.millrace.fixtures.store.SaveSpec;
import io.millrace.fixtures.store.StartSpec;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.AttachedWrite;
import io.millrace.store.KeyValueStore;
import io.millrace.store.KeyValueStore.Put;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.ReduceStore;
import io.millrace.store.ReduceStore.Commit;
import io.millrace.store.ReduceStore.Comparison;
import io.millrace.store.ReduceStore.FollowUp;
import io.millrace.store.ReduceStore.HashedRecord;
import io.millrace.store.SaveRequest;
import io.millrace.tests.store.FaultCase.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Fault cases of keys and values, the period ledger, and reduced records. */
final class DataFaultCases {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final KeyId KEY = new KeyId("group", "key");
  private static final PeriodId PERIOD = new PeriodId("schedule", "2026-03-01");
  private static final List<HashedRecord> ITEMS =
      List.of(new HashedRecord("a", "2", "A"), new HashedRecord("b", "1", "B"));

  private DataFaultCases() {}

  static Stream<FaultCase> all() {
    return Stream.of(keys(), ledger(), records(), Stream.of(attached())).flatMap(cases -> cases);
  }

  private static FaultCase attached() {
    return operation(
        "save a transition with more",
        s -> {
          List<AttachedWrite> more =
              List.of(
                  Put.set(KEY, KeyContent.of("v")),
                  new Commit("group", List.of(new ReduceToken("a", "2", 1, 5)), 1L));
          SaveRequest saveRequest =
              s.move(s.startAndClaim()).end(InstanceStatus.FINISHED).build().with(more);
          return Operation.again(() -> s.faulty.instances().save(List.of(saveRequest)));
        });
  }

  private static Stream<FaultCase> keys() {
    return Stream.of(
        operation(
            "write a key",
            s -> {
              var fence = SaveSpec.fenceOf(s.startAndClaim());
              Put put = Put.ifAbsent(KEY, KeyContent.of("v")).writer("writer");
              return Operation.again(() -> s.faulty.role(KeyValueStore.class).put(put, fence));
            }),
        operation(
            "write a key that is there",
            s -> {
              Put put = Put.ifVersion(KEY, 1, KeyContent.of("w")).writer("writer");
              return keys(s, keys -> keys.put(put, null));
            }),
        operation("delete a key", s -> keys(s, keys -> keys.delete(KEY, 1L, null))),
        operation("read a key", s -> keys(s, keys -> keys.get(KEY))),
        operation("list keys", s -> keys(s, keys -> keys.list(KeyQuery.of("group")))),
        operation("list groups of keys", s -> keys(s, keys -> keys.groups(null, 10))),
        operation(
            "delete expired keys",
            s -> {
              KeyContent brief = KeyContent.of("v").expiresAfter(HOUR);
              s.direct
                  .role(KeyValueStore.class)
                  .put(Put.set(new KeyId("group", "brief"), brief), null);
              s.clock.advance(Duration.ofDays(2));
              return keys(s, keys -> keys.deleteExpired(10));
            }));
  }

  private static Operation keys(FaultFixture scene, Consumer<KeyValueStore> call) {
    scene.direct.role(KeyValueStore.class).put(Put.set(KEY, KeyContent.of("v")), null);
    return Operation.again(() -> call.accept(scene.faulty.role(KeyValueStore.class)));
  }

  private static Stream<FaultCase> ledger() {
    PeriodClaimRequest request = PeriodClaimRequest.atLeastOnce(PERIOD, "claimant", HOUR);
    PeriodClaimRequest other = PeriodClaimRequest.atLeastOnce(PERIOD, "other", HOUR);
    return Stream.of(
        operation(
            "claim a period",
            s -> {
              var fence = SaveSpec.fenceOf(s.startAndClaim());
              return Operation.again(
                  () -> s.faulty.role(PeriodLedgerStore.class).claim(request, fence));
            }),
        operation(
            "claim a period of another claimant",
            s -> ledger(s, ledger -> ledger.claim(other, null))),
        operation(
            "claim a period whose lease is over",
            s -> {
              Operation attempt = ledger(s, ledger -> ledger.claim(other, null));
              s.clock.advance(HOUR.multipliedBy(2));
              return attempt;
            }),
        operation(
            "claim a period whose instance has failed",
            s -> {
              WorkflowInstance failed = s.startAndClaim();
              s.direct.role(PeriodLedgerStore.class).claim(bound(PERIOD, failed), null);
              s.saved(s.move(failed).end(InstanceStatus.FAILED));
              return Operation.again(
                  () -> s.faulty.role(PeriodLedgerStore.class).claim(request, null));
            }),
        operation(
            "claim a period and start",
            s -> {
              StartSpec spec = s.instance().variable("v", "1");
              return Operation.again(() ->
                  s.faulty.role(PeriodLedgerStore.class).claimAndStart(request, spec.build()));
            }),
        operation("renew a claim", s -> ledger(s, ledger -> ledger.renew(PERIOD, 1, HOUR))),
        operation(
            "end a claim",
            s ->
                ledger(
                    s,
                    ledger ->
                        ledger.close(
                            new PeriodLedgerStore.CloseRequest(
                                PERIOD, 1, PeriodState.Operation.COMPLETE, "done"),
                            null))),
        operation(
            "write down what was missed",
            s ->
                ledger(
                    s,
                    ledger ->
                        ledger.recordMissed(
                            List.of(PERIOD, new PeriodId("schedule", "x")), "why"))),
        operation(
            "list missed periods", s -> ledger(s, ledger -> ledger.missed(Instant.EPOCH, 10))),
        operation("read a period", s -> ledger(s, ledger -> ledger.find(PERIOD))),
        operation(
            "list periods", s -> ledger(s, ledger -> ledger.list(PeriodQuery.of("schedule")))),
        operation("list schedules", s -> ledger(s, ledger -> ledger.keys(null, 10))),
        operation(
            "close periods",
            s -> {
              WorkflowInstance ended = s.startAndClaim();
              s.direct
                  .role(PeriodLedgerStore.class)
                  .claim(bound(new PeriodId("b", "1"), ended), null);
              s.direct
                  .role(PeriodLedgerStore.class)
                  .claim(PeriodClaimRequest.atMostOnce(new PeriodId("c", "1"), "x", HOUR), null);
              s.saved(s.move(ended).end(InstanceStatus.FINISHED));
              s.clock.advance(HOUR.multipliedBy(2));
              return ledger(s, ledger -> ledger.closeEnded(10));
            }),
        operation(
            "delete old periods",
            s -> {
              Operation attempt = ledger(s, ledger -> ledger.deleteEnded(HOUR, 10));
              s.direct
                  .role(PeriodLedgerStore.class)
                  .close(
                      new PeriodLedgerStore.CloseRequest(
                          PERIOD, 1, PeriodState.Operation.FAIL, null),
                      null);
              s.clock.advance(HOUR.multipliedBy(2));
              return attempt;
            }));
  }

  /** Returns a claim whose name does not contain the id, which differs each time. */
  private static PeriodClaimRequest bound(PeriodId id, WorkflowInstance instance) {
    return new PeriodClaimRequest(id, "instance", null, instance.id(), null, 3);
  }

  /** Returns an operation on a period that another claimant holds. */
  private static Operation ledger(FaultFixture scene, Consumer<PeriodLedgerStore> call) {
    PeriodClaimResult claim =
        scene
            .direct
            .role(PeriodLedgerStore.class)
            .claim(PeriodClaimRequest.atLeastOnce(PERIOD, "claimant", HOUR), null);
    PeriodEntry held = ((PeriodClaimResult.Claimed) claim).entry();
    if (held.hold().token() != 1) {
      throw new IllegalStateException("not the first claim: " + held);
    }
    return Operation.again(() -> call.accept(scene.faulty.role(PeriodLedgerStore.class)));
  }

  private static Stream<FaultCase> records() {
    List<ReduceToken> tokens = List.of(new ReduceToken("a", "2", 1, 5));
    return Stream.of(
        operation(
                "compare records and reserve them",
                s -> {
                  var fence = SaveSpec.fenceOf(s.startAndClaim());
                  Comparison comparison =
                      new Comparison("group", ITEMS, new FollowUp.Reserve("me", HOUR), true);
                  return Operation.again(
                      () -> s.faulty.role(ReduceStore.class).compare(comparison, fence));
                })
            .ignoring("source_seq"),
        operation(
                "compare records and settle them",
                s ->
                    records(
                        s,
                        store ->
                            store.compare(
                                new Comparison("group", ITEMS, new FollowUp.CommitNow(null), false),
                                null)))
            .ignoring("source_seq"),
        operation(
            "compare records without a trace",
            s ->
                records(
                    s,
                    store ->
                        store.compare(
                            new Comparison("group", ITEMS, new FollowUp.DryRun(), false), null))),
        operation(
            "commit records",
            s ->
                records(
                    s, store -> store.commit(new Commit("group", tokens, List.of("b"), 1L), null))),
        operation("release records", s -> records(s, r -> r.release("group", "me", List.of("b")))),
        operation("reset records", s -> records(s, r -> r.reset("group"))).ignoring("generation"),
        operation("forget records", s -> records(s, r -> r.forget("group", List.of("a")))),
        operation(
            "forget old records",
            s -> {
              Operation attempt = records(s, r -> r.trim("group", HOUR, 1));
              Comparison more =
                  new Comparison(
                      "group",
                      List.of(new HashedRecord("c", "1", null), new HashedRecord("d", "1", null)),
                      new FollowUp.CommitNow(3L),
                      false);
              s.clock.advance(HOUR.multipliedBy(2));
              s.direct.role(ReduceStore.class).compare(more, null);
              return attempt;
            }),
        operation("read a record", s -> records(s, r -> r.record("group", "a"))),
        operation("read a group of records", s -> records(s, r -> r.find("group"))),
        operation("list groups of records", s -> records(s, r -> r.groups(null, 10))),
        operation(
            "delete records of before a reset",
            s -> {
              Operation attempt = records(s, r -> r.deleteObsolete(10));
              s.direct.role(ReduceStore.class).reset("group");
              return attempt;
            }));
  }

  /** Returns an operation with one committed and one reserved record. */
  private static Operation records(FaultFixture scene, Consumer<ReduceStore> call) {
    ReduceStore store = scene.direct.role(ReduceStore.class);
    store.compare(
        new Comparison(
            "group", List.of(new HashedRecord("a", "1", null)), new FollowUp.CommitNow(3L), false),
        null);
    store.compare(
        new Comparison(
            "group",
            List.of(new HashedRecord("b", "1", null)),
            new FollowUp.Reserve("me", HOUR),
            false),
        null);
    return Operation.again(() -> call.accept(scene.faulty.role(ReduceStore.class)));
  }
}
