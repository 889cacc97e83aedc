package io.millrace.tests.store;

import static io.millrace.tests.store.FaultCase.operation;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.SaveSpec;
import io.millrace.fixtures.store.StartSpec;
import io.millrace.instance.Due;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Position;
import io.millrace.instance.Progress;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ClaimResult;
import io.millrace.store.Fence;
import io.millrace.store.InstanceStore.ProgressUpdate;
import io.millrace.store.InstanceStore.StepRecord;
import io.millrace.store.NewInstance;
import io.millrace.store.OperatorCommand;
import io.millrace.store.SaveRequest;
import io.millrace.store.SaveResult;
import io.millrace.store.StartResult;
import io.millrace.tests.store.FaultCase.Call;
import io.millrace.tests.store.FaultCase.Operation;
import java.sql.Connection;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Fault cases of the hot path: starting, claiming, saving. */
final class InstanceFaultCases {

  private static final Due HOUR = new Due.After(Duration.ofHours(1));
  private static final Due NEVER = new Due.Never();
  private static final String PAID = Position.signal("paid");

  private InstanceFaultCases() {}

  static Stream<FaultCase> all() {
    return Stream.of(starts(), claims(), saves(), waits(), ends(), others())
        .flatMap(Function.identity());
  }

  private static Stream<FaultCase> starts() {
    return Stream.of(
        operation("start one", s -> anonymous(s, s.instance().businessKey("b"))),
        operation(
            "start one with variables",
            s -> anonymous(s, s.instance().businessKey("b").variable("v", "1").input("2"))),
        operation(
            "start one held",
            s -> anonymous(s, s.instance().businessKey("b").heldBy(s.executor).variable("v", "1"))),
        operation("start with external id", s -> named(s, s.instance().externalId("A"))),
        operation(
            "start with external id and variables",
            s -> named(s, s.instance().externalId("A").variable("v", "1").variable("w", "2"))),
        operation(
            "start many with external ids",
            s ->
                named(
                    s,
                    IntStream.range(0, 5)
                        .mapToObj(i -> s.instance().externalId("e" + i).variable("v", "1"))
                        .toArray(StartSpec[]::new))),
        operation(
            "start one that exists",
            s -> {
              s.start(s.instance().externalId("A").variable("v", "1"));
              return named(
                  s, s.instance().externalId("A").variable("v", "2"), s.instance().externalId("B"));
            }),
        operation(
            "start with external id without waiting",
            s -> {
              NewInstance instance = s.instance().externalId("A").build();
              return Operation.again(
                  () -> s.faulty.instances().startWithoutWaiting(List.of(instance)));
            }),
        operation("start in the caller's transaction", InstanceFaultCases::inTransaction));
  }

  /** Returns a start without an external id, whose caller checks whether it was done. */
  private static Operation anonymous(FaultFixture scene, StartSpec spec) {
    NewInstance instance = spec.build();
    return Operation.unless(
        () -> scene.dump().tables().get("millrace_instance").size() == 1,
        () -> scene.faulty.instances().start(List.of(instance)));
  }

  private static Operation named(FaultFixture scene, StartSpec... specs) {
    List<NewInstance> instances = Arrays.stream(specs).map(StartSpec::build).toList();
    return Operation.again(() -> {
      List<StartResult> results = scene.faulty.instances().start(instances);
      assertThat(results).extracting(StartResult::id).doesNotHaveDuplicates();
    });
  }

  private static Operation inTransaction(FaultFixture scene) {
    NewInstance order = scene.instance().externalId("A").variable("v", "1").build();
    return Operation.again(() -> {
      try (Connection connection = scene.faults.dataSource().getConnection()) {
        boolean automatic = connection.getAutoCommit();
        connection.setAutoCommit(false);
        try {
          scene.faulty.instances().start(connection, order);
          connection.commit();
        } finally {
          // As a user's own transaction template does; a lost connection rejects the call and is
          // closed.
          if (connection.isValid(1)) {
            connection.rollback();
            connection.setAutoCommit(automatic);
          }
        }
      }
    });
  }

  private static Stream<FaultCase> claims() {
    return Stream.of(
        operation(
                "claim",
                s -> {
                  IntStream.range(0, 3).forEach(i -> s.start());
                  return claim(s, 2);
                })
            .ignoring("lease_version"),
        operation(
                "claim with all that belongs to it",
                s -> {
                  WorkflowInstance one =
                      s.startAndClaim(s.instance().variable("v", "1").input("2"));
                  s.direct
                      .instances()
                      .recordStep(new StepRecord(SaveSpec.fenceOf(one), 0, "step", "true"));
                  s.signal(one.id(), "paid");
                  s.direct.instances().release(List.of(SaveSpec.fenceOf(one)));
                  s.start(s.instance().variable("w", "2").priority(9));
                  return claim(s, 10);
                })
            .ignoring("lease_version"),
        operation("claim nothing", s -> claim(s, 10)));
  }

  /**
   * Returns a claim that is repeated as the engine does: instances that are owned but not held are
   * released, and claimed again.
   */
  private static Operation claim(FaultFixture scene, int limit) {
    Call claim = () -> scene.faulty.instances().claim(scene.claim(limit));
    return new Operation(
        claim,
        () -> {
          List<Fence> owned =
              scene.faulty.executors().ownedInstances(scene.executor).entrySet().stream()
                  .map(row -> new Fence(row.getKey(), scene.executor, row.getValue(), 0))
                  .toList();
          scene.faulty.instances().release(owned);
          ClaimResult result = scene.faulty.instances().claim(scene.claim(limit));
          Set<Long> held = new HashSet<>();
          result.claimed().forEach(claimed -> held.add(claimed.instance().id()));
          assertThat(scene.direct.executors().ownedInstances(scene.executor).keySet())
              .isEqualTo(held);
        });
  }

  private static Stream<FaultCase> saves() {
    return Stream.of(
        operation("save and keep", s -> save(s, s.move(s.startAndClaim()).keepLease())),
        operation("save and release", s -> save(s, s.move(s.startAndClaim()))),
        operation("save with a timer", s -> save(s, s.move(s.startAndClaim()).due(HOUR))),
        operation(
            "save progress",
            s -> save(s, s.move(s.startAndClaim()).progress(new Progress(1, 2, "half")))),
        operation(
            "save a further attempt",
            s -> save(s, s.move(s.startAndClaim()).retry(Duration.ofMinutes(1)).error("stack"))),
        operation(
            "save variables",
            s ->
                save(
                    s,
                    s.move(s.startAndClaim(s.instance().variable("a", "1").variable("b", "2")))
                        .set("a", "10")
                        .set("c", "3")
                        .remove("b")
                        .variableCount(2))),
        operation(
            "save with children",
            s ->
                save(
                    s,
                    s.move(s.startAndClaim())
                        .child(s.instance().variable("v", "1"))
                        .child(s.instance())
                        .waitFor(Position.CHILDREN, NEVER))),
        operation(
            "save with a child that exists",
            s -> {
              s.start(s.instance().externalId("A"));
              return save(
                  s,
                  s.move(s.startAndClaim())
                      .child(s.instance().externalId("A"))
                      .child(s.instance().externalId("B"))
                      .waitFor(Position.CHILDREN, NEVER));
            }),
        operation("save a batch", InstanceFaultCases::batch));
  }

  private static Operation batch(FaultFixture s) {
    WorkflowInstance parent = s.startAndClaim();
    WorkflowInstance child = s.startAndClaim(s.instance().parent(parent.id()));
    WorkflowInstance chain = s.startAndClaim();
    WorkflowInstance waits = s.startAndClaim();
    s.signal(waits.id(), "paid");
    WorkflowInstance late = s.startAndClaim();
    Fence past =
        new Fence(late.id(), s.executor, late.lease().leaseVersion() + 1, late.lease().seq());
    SaveSpec second = s.move(chain).fence(SaveSpec.fenceOf(chain).advanced());
    return save(
        s,
        s.move(child).end(InstanceStatus.FINISHED),
        s.move(parent).child(s.instance()).waitFor(Position.CHILDREN, NEVER),
        s.move(chain).set("v", "1").variableCount(1).keepLease(),
        second.set("v", "2").variableCount(1).end(InstanceStatus.FINISHED),
        s.move(waits).waitFor(PAID, NEVER),
        s.move(late).fence(past).set("never", "1"));
  }

  private static Stream<FaultCase> waits() {
    return Stream.of(
        operation("save a wait", s -> save(s, s.move(s.startAndClaim()).waitFor(PAID, HOUR))),
        operation(
            "save a wait whose signal is there",
            s -> {
              WorkflowInstance held = s.startAndClaim();
              s.signal(held.id(), "paid");
              return save(s, s.move(held).waitFor(PAID, HOUR));
            }),
        operation(
            "save with signals used up",
            s -> {
              WorkflowInstance held = s.startAndClaim();
              s.signal(held.id(), "paid");
              s.signal(held.id(), "other");
              return save(s, s.move(held).consume(s.unconsumedMessages(held.id()).subList(0, 1)));
            }),
        operation(
            "save a pause that was asked for",
            s -> {
              WorkflowInstance held = s.startAndClaim();
              s.apply(held.id(), new OperatorCommand.Pause());
              return save(
                  s,
                  s.move(held)
                      .by(HistoryEntryType.PAUSE, "alice")
                      .status(InstanceStatus.PAUSED)
                      .consume(s.unconsumedMessages(held.id())));
            }));
  }

  private static Stream<FaultCase> ends() {
    return Stream.of(
        operation(
            "save an end", s -> save(s, s.move(s.startAndClaim()).end(InstanceStatus.FINISHED))),
        operation(
            "save a failure",
            s ->
                save(
                    s,
                    s.move(s.startAndClaim())
                        .error("stack")
                        .end(InstanceStatus.FAILED)
                        .failure("f"))),
        operation(
            "save the end of a child",
            s -> {
              WorkflowInstance parent = s.startAndClaim();
              long child = s.start(s.instance().parent(parent.id()).heldBy(s.executor));
              s.saved(s.move(parent).child(s.instance()).waitFor(Position.CHILDREN, NEVER));
              return save(s, s.move(s.read(child)).end(InstanceStatus.FAILED));
            }));
  }

  private static Operation save(FaultFixture scene, SaveSpec... specs) {
    List<SaveRequest> saves = Arrays.stream(specs).map(SaveSpec::build).toList();
    return Operation.again(() -> {
      List<SaveResult> results = scene.faulty.instances().save(saves);
      for (int i = 0; i < saves.size(); i++) {
        boolean meantToFail = saves.get(i).changes().variables().containsKey("never");
        assertThat(results.get(i))
            .isInstanceOf(meantToFail ? SaveResult.Fenced.class : SaveResult.Saved.class);
      }
    });
  }

  private static Stream<FaultCase> others() {
    return Stream.of(
        operation(
            "record a step",
            s -> {
              Fence fence = SaveSpec.fenceOf(s.startAndClaim());
              return recordStep(s, fence, "one");
            }),
        operation(
            "record a second step",
            s -> {
              Fence fence = SaveSpec.fenceOf(s.startAndClaim());
              s.direct.instances().recordStep(new StepRecord(fence, 0, "one", "1"));
              return recordStep(s, fence, "two");
            }),
        operation(
            "report progress",
            s -> {
              List<ProgressUpdate> updates =
                  Stream.of(s.startAndClaim(), s.startAndClaim())
                      .map(held ->
                          new ProgressUpdate(SaveSpec.fenceOf(held), new Progress(1, 2, "half")))
                      .toList();
              return Operation.again(() -> s.faulty.instances().progress(updates));
            }),
        operation(
            "release",
            s -> {
              List<Fence> fences =
                  Stream.of(s.startAndClaim(), s.startAndClaim()).map(SaveSpec::fenceOf).toList();
              return Operation.again(() -> s.faulty.instances().release(fences));
            }),
        operation(
            "read an inbox",
            s -> {
              WorkflowInstance held = s.startAndClaim();
              s.signal(held.id(), "paid");
              return Operation.again(
                  () -> assertThat(s.faulty.instances().unconsumedMessages(held.id())).hasSize(1));
            }),
        operation(
            "read a signal",
            s -> {
              WorkflowInstance held = s.startAndClaim();
              s.signal(held.id(), "paid");
              return Operation.again(() ->
                  assertThat(s.faulty.instances().oldestSignal(held.id(), "paid")).isPresent());
            }));
  }

  private static Operation recordStep(FaultFixture scene, Fence fence, String name) {
    StepRecord step = new StepRecord(fence, 0, name, Map.of().toString());
    return Operation.again(() -> assertThat(scene.faulty.instances().recordStep(step)).isTrue());
  }
}
