package io.millrace.verification.store;

import static io.millrace.verification.store.FaultCase.operation;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.Deed;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.Due;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.LogLine;
import io.millrace.instance.Position;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.DeedCommand;
import io.millrace.store.ExecutorStore;
import io.millrace.store.OperatorStore.SignalRequest;
import io.millrace.store.QueryStore;
import io.millrace.store.RetentionStore;
import io.millrace.store.WorkStore.StepRecord;
import io.millrace.verification.store.FaultCase.Attempt;
import io.millrace.verification.store.FaultCase.Call;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Definitions, executors, deeds, signals, retention, and reading. */
final class OtherFaultCases {

  private static final Duration DAY = Duration.ofDays(1);

  /** Over the greatest number that an operating system gives to a process. */
  private static final long NO_PROCESS = 1L << 40;

  private static final Due NEVER = new Due.Never();

  private OtherFaultCases() {}

  static Stream<FaultCase> all() {
    return Stream.of(
            definitions(),
            executors(),
            recoveries(),
            deeds(),
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
            s -> Attempt.again(() -> s.faulty.definitions().save("new", 1, "hash", "{}"))),
        operation(
            "replace a definition",
            s ->
                Attempt.again(
                    () -> s.faulty.definitions().save(FaultScene.TYPE, 1, "other", "{1}"))),
        operation(
            "read definitions",
            s ->
                Attempt.again(() -> {
                  s.faulty.definitions().list();
                  s.faulty.definitions().latest(FaultScene.TYPE);
                  s.faulty.definitions().find(FaultScene.TYPE, 1);
                })));
  }

  private static Stream<FaultCase> executors() {
    return Stream.of(
        operation("register", s -> register(s)).differentIn("millrace_executor"),
        operation(
                "register beside a dead process",
                s -> {
                  s.register(NO_PROCESS);
                  return register(s);
                })
            .differentIn("millrace_executor"),
        operation(
            "renew",
            s -> {
              s.clock.advance(Duration.ofSeconds(2));
              return executors(
                  s, e -> e.renew(s.executor, FaultScene.TTL, new ExecutorInfo.Load(1, 2, 3, 4)));
            }),
        operation(
            "ask to drain",
            s ->
                executors(
                    s,
                    e ->
                        assertThat(e.requestDrain(s.executor, DrainRequest.usual(), Deed.by("ann")))
                            .isTrue())),
        operation("cordon", s -> cordon(s)),
        operation(
            "uncordon",
            s -> {
              s.direct.executors().cordon(s.executor, Deed.by("ann"));
              return executors(s, e -> assertThat(e.uncordon(s.executor, Deed.by("ann"))).isTrue());
            }),
        operation(
            "tell that it stops",
            s ->
                executors(
                    s, e -> e.leave(s.executor, DrainRequest.within(FaultScene.TTL), "itself"))),
        operation("be ready", s -> executors(s, e -> e.ready(s.executor, true, FaultScene.TTL))),
        operation("sign off", s -> executors(s, e -> e.stop(s.executor))),
        operation(
            "read executors",
            s -> {
              s.held();
              s.expire();
              return executors(
                  s,
                  e -> {
                    e.owned(s.executor);
                    e.expired(FaultScene.GROUP);
                    e.forgotten(FaultScene.GROUP);
                    e.list(FaultScene.GROUP);
                  });
            }));
  }

  private static Attempt cordon(FaultScene scene) {
    return executors(scene, e -> assertThat(e.cordon(scene.executor, Deed.by("ann"))).isTrue());
  }

  /** A lost reply leaves an executor that holds nothing; its lease runs out. */
  private static Attempt register(FaultScene scene) {
    return executors(
        scene, e -> e.register(scene.identity(ProcessHandle.current().pid()), FaultScene.TTL));
  }

  private static Attempt executors(FaultScene scene, Consumer<ExecutorStore> call) {
    return Attempt.again(() -> call.accept(scene.faulty.executors()));
  }

  private static Stream<FaultCase> recoveries() {
    return Stream.of(
        operation("recover", s -> recover(s, 5)),
        operation("recover and park", s -> recover(s, 1)),
        operation(
            "recover from one that lives",
            s -> {
              s.held();
              return executors(s, e -> e.recover(s.executor, s.executor, 10, 5));
            }));
  }

  private static Attempt recover(FaultScene scene, int maxRecoveries) {
    scene.held();
    scene.held();
    scene.expire();
    long heir = scene.register(ProcessHandle.current().pid());
    return executors(scene, e -> e.recover(scene.executor, heir, 10, maxRecoveries));
  }

  private static Stream<FaultCase> deeds() {
    return Stream.of(
        deed("cancel", FaultScene::start, new DeedCommand.Cancel()),
        deed("cancel one that executes", s -> s.held().id(), new DeedCommand.Cancel()),
        deed("cancel a child", OtherFaultCases::child, new DeedCommand.Cancel()),
        deed("pause", FaultScene::start, new DeedCommand.Pause()),
        queued("ask for a pause", new DeedCommand.Pause()),
        deed(
            "resume",
            s -> {
              long id = s.start();
              s.apply(id, new DeedCommand.Pause());
              return id;
            },
            new DeedCommand.Resume()),
        deed(
            "retry",
            s -> s.ended(s.instance(), InstanceStatus.FAILED).id(),
            new DeedCommand.Retry()),
        deed("retry a failed child", OtherFaultCases::failedChild, new DeedCommand.Retry()),
        deed("wake", s -> s.waiting(Position.signal("paid")).id(), new DeedCommand.Wake()),
        queued("ask for a wake-up", new DeedCommand.Wake()),
        deed(
            "move",
            FaultScene::start,
            new DeedCommand.Move("other", InstanceStatus.IN_PROGRESS, Due.NOW, null, "begin")),
        deed(
            "move to where a signal is awaited that is there",
            s -> {
              long id = s.start();
              s.signal(id, "paid");
              return id;
            },
            new DeedCommand.Move(
                "other", InstanceStatus.IN_PROGRESS, NEVER, Position.signal("paid"), null)),
        deed(
            "edit variables",
            s -> s.start(s.instance().variable("a", "1").variable("b", "2")),
            new DeedCommand.EditVariables(edits())));
  }

  private static Map<String, String> edits() {
    Map<String, String> edits = new HashMap<>(Map.of("a", "10", "c", "3"));
    edits.put("b", null);
    return edits;
  }

  private static long child(FaultScene scene) {
    WorkflowInstance parent = scene.held();
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

  private static long failedChild(FaultScene scene) {
    long id = child(scene);
    WorkflowInstance held =
        scene.direct.work().claim(scene.claim(1)).claimed().getFirst().instance();
    scene.saved(scene.move(held).end(InstanceStatus.FAILED));
    return id;
  }

  private static FaultCase deed(String name, ToLongFunction<FaultScene> before, DeedCommand deed) {
    return operation(
        name,
        s -> {
          long id = before.applyAsLong(s);
          return Attempt.unless(
              () -> s.hasDeed(id, deed.type()),
              () -> s.faulty.operators().apply(id, deed, FaultScene.DEED));
        });
  }

  private static FaultCase queued(String name, DeedCommand deed) {
    return operation(
        name,
        s -> {
          long id = s.held().id();
          return Attempt.unless(
              () -> !s.inbox(id).isEmpty(),
              () -> s.faulty.operators().apply(id, deed, FaultScene.DEED));
        });
  }

  private static Stream<FaultCase> signals() {
    return Stream.of(
        operation("signal", s -> signal(s, s.start(), "key")),
        operation(
            "signal one that waits for it",
            s -> signal(s, s.waiting(Position.signal("paid")).id(), "key")),
        operation("signal one that executes", s -> signal(s, s.held().id(), "key")),
        operation(
            "signal without a key",
            s -> {
              long id = s.start();
              Attempt signal = signal(s, id, null);
              return Attempt.unless(() -> !s.inbox(id).isEmpty(), signal.call());
            }));
  }

  private static Attempt signal(FaultScene scene, long id, String key) {
    return Attempt.again(
        () -> scene.faulty.operators().signal(new SignalRequest(id, "paid", "1", "bob", key)));
  }

  private static Stream<FaultCase> retention() {
    return Stream.of(
        operation("archive", s -> retention(s, r -> r.archive(DAY, 10))),
        operation("delete", s -> retention(s, r -> r.delete(DAY, 10))),
        operation(
            "delete archived",
            s -> {
              Attempt attempt = retention(s, r -> r.deleteArchived(DAY, 10));
              s.direct.retention().archive(DAY, 10);
              return attempt;
            }),
        operation(
            "delete executors",
            s -> {
              s.direct.executors().stop(s.executor);
              s.clock.advance(DAY.plusDays(1));
              return Attempt.again(() -> s.faulty.retention().deleteExecutors(DAY, 10));
            }));
  }

  private static Attempt retention(FaultScene scene, Consumer<RetentionStore> call) {
    for (int i = 0; i < 2; i++) {
      WorkflowInstance held = scene.held(scene.instance().variable("v", "1"));
      scene.signal(held.id(), "paid");
      scene.direct.logs().append(List.of(line(scene, held.id(), "logged")));
      scene.direct.work().recordStep(new StepRecord(SaveSpec.fenceOf(held), 0, "step", "true"));
      scene.saved(scene.move(held).end(InstanceStatus.FINISHED));
    }
    scene.clock.advance(DAY.plusDays(1));
    scene.start();
    return Attempt.again(() -> call.accept(scene.faulty.retention()));
  }

  /** A caller who has seen an error drops the lines. */
  private static Stream<FaultCase> logs() {
    return Stream.of(
        operation(
            "append log lines",
            s -> {
              long id = s.start();
              return Attempt.unless(
                  () -> !s.direct.logs().lines(id, 0, 10).isEmpty(),
                  () ->
                      s.faulty.logs().append(List.of(line(s, id, "first"), line(s, id, "second"))));
            }),
        operation(
            "read log lines",
            s -> {
              long id = s.start();
              return Attempt.again(() -> assertThat(s.faulty.logs().lines(id, 0, 10)).isEmpty());
            }));
  }

  private static LogLine line(FaultScene scene, long id, String message) {
    LogLine.Place place = new LogLine.Place("begin", 1, 1, scene.executor);
    return new LogLine(0, id, place, scene.clock.instant(), "INFO", "logger", message);
  }

  private static Stream<FaultCase> queries() {
    return Stream.of(
        query("find", (q, id) -> q.find(id)),
        query("find by external id", (q, id) -> q.findByExternalId("type", "group", "A")),
        query("read an input", (q, id) -> q.input(id)),
        query("read variables", (q, id) -> q.variables(id)),
        query("read variables of children", (q, id) -> q.childVariables(id, "v")),
        query("read a history", (q, id) -> q.history(id, 0, 10)),
        query("read signals", (q, id) -> q.signals(id, 10)),
        query("search", (q, id) -> q.search(InstanceQuery.all(), null)),
        query("count", (q, id) -> q.count(InstanceQuery.all(), null, 10)),
        query("tell the time", (q, id) -> q.now()));
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
          return Attempt.again(call);
        });
  }
}
