package io.millrace.verification.store;

import static io.millrace.verification.store.FaultCase.operation;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.Due;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.DeedCommand;
import io.millrace.store.Fence;
import io.millrace.store.Handover;
import io.millrace.store.OutboxStore;
import io.millrace.store.TakeRequest;
import io.millrace.store.TakeRequest.Wanted;
import io.millrace.store.TakeResult;
import io.millrace.verification.store.FaultCase.Attempt;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Handing over by message. */
final class HandoverFaultCases {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Due LATER = new Due.After(HOUR);
  private static final Handover MESSAGE = new Handover("channel", Duration.ZERO, false);

  /** Ids are given anew in each scene, from 1. */
  private static final List<OutboxStore.Key> ALL =
      List.of(new OutboxStore.Key(1, 0), new OutboxStore.Key(2, 1));

  private HandoverFaultCases() {}

  static Stream<FaultCase> all() {
    return Stream.of(
        operation(
            "start with a message",
            s -> {
              StartSpec spec = s.instance().externalId("A").due(LATER).handover(MESSAGE);
              return Attempt.again(() -> s.faulty.work().start(List.of(spec.build())));
            }),
        operation(
            "save with a message",
            s -> {
              SaveSpec spec = s.move(s.held()).due(LATER).handover(MESSAGE);
              return Attempt.again(() -> s.faulty.work().save(List.of(spec.build())));
            }),
        operation("take instances", HandoverFaultCases::take).differentIn("lease_version"),
        operation(
            "announce definitions",
            s ->
                Attempt.again(
                    () -> s.faulty.executors().announce(s.executor, List.of(s.definition, 77)))),
        operation(
            "report loop failures",
            s ->
                Attempt.again(
                    () -> s.faulty.executors().reportLoopFailures(s.executor, "a loop failed"))),
        operation("take messages", s -> outbox(s, outbox -> outbox.take(10, HOUR))),
        operation("delete messages", s -> outbox(s, outbox -> outbox.sent(ALL))),
        operation("postpone messages", s -> outbox(s, outbox -> outbox.failed(ALL, "why", HOUR))));
  }

  /** As an engine does: what it owns without holding it is given back, and the message repeated. */
  private static Attempt take(FaultScene scene) {
    long id = scene.start(scene.instance().due(LATER).variable("v", "1"));
    TakeRequest request =
        new TakeRequest(
            scene.executor,
            FaultScene.GROUP,
            List.of(scene.definition),
            List.of(new Wanted(id, 0), new Wanted(id + 1, 0)));
    return new Attempt(
        () -> scene.faulty.work().take(request),
        () -> {
          List<Fence> owned =
              scene.faulty.executors().owned(scene.executor).entrySet().stream()
                  .map(row -> new Fence(row.getKey(), scene.executor, row.getValue(), 0))
                  .toList();
          scene.faulty.work().release(owned);
          assertThat(scene.faulty.work().take(request))
              .hasSize(2)
              .first()
              .isInstanceOf(TakeResult.Taken.class);
        });
  }

  /** With a message of an instance that waits, and one of an instance that has gone on. */
  private static Attempt outbox(FaultScene scene, Consumer<OutboxStore> call) {
    scene.start(scene.instance().due(LATER).handover(MESSAGE));
    WorkflowInstance gone = scene.held();
    scene.direct.work().save(List.of(scene.move(gone).due(LATER).handover(MESSAGE).build()));
    scene.direct.operators().apply(gone.id(), new DeedCommand.Cancel(), FaultScene.DEED);
    return Attempt.again(() -> call.accept(scene.faulty.outbox()));
  }
}
