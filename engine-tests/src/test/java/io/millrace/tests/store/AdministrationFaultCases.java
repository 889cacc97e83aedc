package io.millrace.tests.store;

import static io.millrace.tests.store.FaultCase.operation;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.SaveSpec;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.Due;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.LogLine;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.Position;
import io.millrace.instance.StopReason;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ExecutorStore;
import io.millrace.store.InstanceStore.StepRecord;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorStore.SignalRequest;
import io.millrace.store.QueryStore;
import io.millrace.store.RetentionStore;
import io.millrace.tests.store.FaultCase.Call;
import io.millrace.tests.store.FaultCase.Operation;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Fault cases of definitions, executors, operator actions, signals, retention, and queries. */
final class AdministrationFaultCases {

  private static final Duration DAY = Duration.ofDays(1);

  /** Number of a process that cannot exist, above the maximum of operating systems. */
  private static final long NO_PROCESS = 1L << 40;

  private static final Due NEVER = new Due.Never();

  private AdministrationFaultCases() {}

  static Stream<FaultCase> all() {
    return Stream.of(
            definitions(),
            executors(),
            recoveries(),
            actions(),
            signals(),
            retention(),
            logs(),
            queries(),
            ServerFaultCases.all())
        .flatMap(Function.identity());
  }

  private static Stream<FaultCase> definitions() {
    return Stream.of(
        operation(
            "store a definition",
            s -> Operation.again(() -> s.faulty.definitions().save("new", 1, "hash", "{}"))),
        operation(
            "replace a definition",
            s ->
                Operation.again(
                    () -> s.faulty.definitions().save(FaultFixture.TYPE, 1, "other", "{1}"))),
        operation(
            "read definitions",
            s ->
                Operation.again(() -> {
                  s.faulty.definitions().list();
                  s.faulty.definitions().latest(FaultFixture.TYPE);
                  s.faulty.definitions().find(FaultFixture.TYPE, 1);
                })));
  }

  private static Stream<FaultCase> executors() {
    return Stream.of(
        operation("register", s -> register(s)).ignoring("millrace_executor"),
        operation(
                "register beside a dead process",
                s -> {
                  s.register(NO_PROCESS);
                  return register(s);
                })
            .ignoring("millrace_executor"),
        operation(
            "renew",
            s -> {
              s.clock.advance(Duration.ofSeconds(2));
              return executors(
                  s, e -> e.renew(s.executor, FaultFixture.TTL, new ExecutorInfo.Load(1, 2, 3, 4)));
            }),
        operation(
            "ask to drain",
            s ->
                executors(
                    s,
                    e ->
                        assertThat(
                                e.requestDrain(
                                    s.executor,
                                    DrainRequest.withDefaultGrace(),
                                    OperatorAction.by("ann")))
                            .isTrue())),
        operation("cordon", s -> cordon(s)),
        operation(
            "uncordon",
            s -> {
              s.direct.executors().cordon(s.executor, OperatorAction.by("ann"));
              return executors(
                  s, e -> assertThat(e.uncordon(s.executor, OperatorAction.by("ann"))).isTrue());
            }),
        operation(
            "tell that it stops",
            s ->
                executors(
                    s,
                    e ->
                        e.recordStopping(
                            s.executor, StopReason.SHUTDOWN, FaultFixture.TTL, "itself"))),
        operation(
            "be ready", s -> executors(s, e -> e.markReady(s.executor, true, FaultFixture.TTL))),
        operation("sign off", s -> executors(s, e -> e.markStopped(s.executor))),
        operation(
            "read executors",
            s -> {
              s.startAndClaim();
              s.expire();
              return executors(
                  s,
                  e -> {
                    e.ownedInstances(s.executor);
                    e.expired(FaultFixture.GROUP);
                    e.recoveredOwners(FaultFixture.GROUP);
                    e.list(FaultFixture.GROUP);
                  });
            }));
  }

  private static Operation cordon(FaultFixture scene) {
    return executors(
        scene, e -> assertThat(e.cordon(scene.executor, OperatorAction.by("ann"))).isTrue());
  }

  /** Registers an executor; a lost reply leaves one that holds nothing and whose lease expires. */
  private static Operation register(FaultFixture scene) {
    return executors(
        scene, e -> e.register(scene.identity(ProcessHandle.current().pid()), FaultFixture.TTL));
  }

  private static Operation executors(FaultFixture scene, Consumer<ExecutorStore> call) {
    return Operation.again(() -> call.accept(scene.faulty.executors()));
  }

  private static Stream<FaultCase> recoveries() {
    return Stream.of(
        operation("recover", s -> recover(s, 5)),
        operation("recover and park", s -> recover(s, 1)),
        operation(
            "recover from one that lives",
            s -> {
              s.startAndClaim();
              return executors(s, e -> e.recover(s.executor, s.executor, 10, 5));
            }));
  }

  private static Operation recover(FaultFixture scene, int maxRecoveries) {
    scene.startAndClaim();
    scene.startAndClaim();
    scene.expire();
    long heir = scene.register(ProcessHandle.current().pid());
    return executors(scene, e -> e.recover(scene.executor, heir, 10, maxRecoveries));
  }

  private static Stream<FaultCase> actions() {
    return Stream.of(
        action("cancel", FaultFixture::start, new OperatorCommand.Cancel()),
        action(
            "cancel one that executes", s -> s.startAndClaim().id(), new OperatorCommand.Cancel()),
        action("cancel a child", AdministrationFaultCases::child, new OperatorCommand.Cancel()),
        action("pause", FaultFixture::start, new OperatorCommand.Pause()),
        queued("ask for a pause", new OperatorCommand.Pause()),
        action(
            "resume",
            s -> {
              long id = s.start();
              s.apply(id, new OperatorCommand.Pause());
              return id;
            },
            new OperatorCommand.Resume()),
        action(
            "retry",
            s -> s.ended(s.instance(), InstanceStatus.FAILED).id(),
            new OperatorCommand.Retry()),
        action(
            "retry a failed child",
            AdministrationFaultCases::failedChild,
            new OperatorCommand.Retry()),
        action("wake", s -> s.waiting(Position.signal("paid")).id(), new OperatorCommand.Wake()),
        queued("ask for a wake-up", new OperatorCommand.Wake()),
        action(
            "move",
            FaultFixture::start,
            new OperatorCommand.Move("other", InstanceStatus.IN_PROGRESS, Due.NOW, null, "begin")),
        action(
            "move to where a signal is awaited that is there",
            s -> {
              long id = s.start();
              s.signal(id, "paid");
              return id;
            },
            new OperatorCommand.Move(
                "other", InstanceStatus.IN_PROGRESS, NEVER, Position.signal("paid"), null)),
        action(
            "edit variables",
            s -> s.start(s.instance().variable("a", "1").variable("b", "2")),
            new OperatorCommand.EditVariables(edits())));
  }

  private static Map<String, String> edits() {
    Map<String, String> edits = new HashMap<>(Map.of("a", "10", "c", "3"));
    edits.put("b", null);
    return edits;
  }

  private static long child(FaultFixture scene) {
    WorkflowInstance parent = scene.startAndClaim();
    scene.saved(
        scene
            .move(parent)
            .child(scene.instance().businessKey("child"))
            .waitFor(Position.CHILDREN, NEVER));
    return scene
        .direct
        .queries()
        .search(InstanceQuery.all().businessKey("child"), null)
        .items()
        .getFirst()
        .id();
  }

  private static long failedChild(FaultFixture scene) {
    long id = child(scene);
    WorkflowInstance held =
        scene.direct.instances().claim(scene.claim(1)).claimed().getFirst().instance();
    scene.saved(scene.move(held).end(InstanceStatus.FAILED));
    return id;
  }

  private static FaultCase action(
      String name, ToLongFunction<FaultFixture> before, OperatorCommand action) {
    return operation(
        name,
        s -> {
          long id = before.applyAsLong(s);
          return Operation.unless(
              () -> s.hasAction(id, action.type()),
              () -> s.faulty.operators().apply(id, action, FaultFixture.ACTION));
        });
  }

  private static FaultCase queued(String name, OperatorCommand action) {
    return operation(
        name,
        s -> {
          long id = s.startAndClaim().id();
          return Operation.unless(
              () -> !s.unconsumedMessages(id).isEmpty(),
              () -> s.faulty.operators().apply(id, action, FaultFixture.ACTION));
        });
  }

  private static Stream<FaultCase> signals() {
    return Stream.of(
        operation("signal", s -> signal(s, s.start(), "key")),
        operation(
            "signal one that waits for it",
            s -> signal(s, s.waiting(Position.signal("paid")).id(), "key")),
        operation("signal one that executes", s -> signal(s, s.startAndClaim().id(), "key")),
        operation(
            "signal without a key",
            s -> {
              long id = s.start();
              Operation signal = signal(s, id, null);
              return Operation.unless(() -> !s.unconsumedMessages(id).isEmpty(), signal.call());
            }));
  }

  private static Operation signal(FaultFixture scene, long id, String key) {
    return Operation.again(
        () -> scene.faulty.operators().signal(new SignalRequest(id, "paid", "1", "bob", key)));
  }

  private static Stream<FaultCase> retention() {
    return Stream.of(
        operation("archive", s -> retention(s, r -> r.archive(DAY, 10))),
        operation("delete", s -> retention(s, r -> r.delete(DAY, 10))),
        operation(
            "find what is overdue",
            s ->
                retention(
                    s,
                    r -> {
                      r.overdue(DAY);
                      r.overdueArchived(DAY);
                    })),
        operation(
            "archive a part",
            s -> {
              long id = heavy(s);
              return Operation.unless(
                  () -> s.direct.queries().find(id).isEmpty(),
                  () -> s.faulty.retention().archive(DAY, 1));
            }),
        operation(
            "resume a removal",
            s -> {
              heavy(s);
              s.direct.retention().archive(DAY, 1);
              return Operation.again(() -> s.faulty.retention().resume(1));
            }),
        operation(
            "delete archived",
            s -> {
              Operation attempt = retention(s, r -> r.deleteArchived(DAY, 10));
              s.direct.retention().archive(DAY, 10);
              return attempt;
            }),
        operation(
            "delete executors",
            s -> {
              s.direct.executors().markStopped(s.executor);
              s.clock.advance(DAY.plusDays(1));
              return Operation.again(() -> s.faulty.retention().deleteExecutors(DAY, 10));
            }));
  }

  /** Returns an instance with more rows than a call removes. */
  private static long heavy(FaultFixture scene) {
    WorkflowInstance held = scene.startAndClaim(scene.instance());
    LogLine logged = line(scene, held.id(), "logged");
    scene
        .direct
        .logs()
        .append(Collections.nCopies(RetentionStore.ROWS_PER_INSTANCE * 3 / 2, logged));
    scene.saved(scene.move(held).end(InstanceStatus.FINISHED));
    scene.clock.advance(DAY.plusDays(1));
    return held.id();
  }

  private static Operation retention(FaultFixture scene, Consumer<RetentionStore> call) {
    for (int i = 0; i < 2; i++) {
      WorkflowInstance held = scene.startAndClaim(scene.instance().variable("v", "1"));
      scene.signal(held.id(), "paid");
      scene.direct.logs().append(List.of(line(scene, held.id(), "logged")));
      scene
          .direct
          .instances()
          .recordStep(new StepRecord(SaveSpec.fenceOf(held), 0, "step", "true"));
      scene.saved(scene.move(held).end(InstanceStatus.FINISHED));
    }
    scene.clock.advance(DAY.plusDays(1));
    scene.start();
    return Operation.again(() -> call.accept(scene.faulty.retention()));
  }

  /** Returns the cases of log lines; a caller that has seen an error drops the lines. */
  private static Stream<FaultCase> logs() {
    return Stream.of(
        operation(
            "append log lines",
            s -> {
              long id = s.start();
              return Operation.unless(
                  () -> !s.direct.logs().lines(id, 0, 10).isEmpty(),
                  () ->
                      s.faulty.logs().append(List.of(line(s, id, "first"), line(s, id, "second"))));
            }),
        operation(
            "read log lines",
            s -> {
              long id = s.start();
              return Operation.again(() -> assertThat(s.faulty.logs().lines(id, 0, 10)).isEmpty());
            }));
  }

  private static LogLine line(FaultFixture scene, long id, String message) {
    LogLine.Source source = new LogLine.Source("begin", 1, 1, scene.executor);
    return new LogLine(0, id, source, scene.clock.instant(), "INFO", "logger", message);
  }

  private static Stream<FaultCase> queries() {
    return Stream.of(
        query("find", (q, id) -> q.find(id)),
        query("find by external id", (q, id) -> q.findByExternalId("type", "group", "A")),
        query("read an input", (q, id) -> q.input(id)),
        query("read variables", (q, id) -> q.variables(id)),
        query("read variables of children", (q, id) -> q.childVariables(id, "v", 1000)),
        query("read a history", (q, id) -> q.history(id, 0, 10)),
        query("read signals", (q, id) -> q.inboxMessages(id, 10)),
        query("search", (q, id) -> q.search(InstanceQuery.all(), null)),
        query("count", (q, id) -> q.count(InstanceQuery.all(), null, 10)),
        query("read the time", (q, id) -> q.now()));
  }

  private interface Query {
    Object on(QueryStore queries, long id);
  }

  private static FaultCase query(String name, Query query) {
    return operation(
        name,
        s -> {
          long id = s.ended(s.instance().externalId("A"), InstanceStatus.FINISHED).id();
          Call call = () -> assertThat(query.on(s.faulty.queries(), id)).isNotNull();
          return Operation.again(call);
        });
  }
}
