package io.millrace.tests.store;

import static io.millrace.tests.store.FaultCase.operation;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.SaveSpec;
import io.millrace.fixtures.store.StartSpec;
import io.millrace.instance.Due;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ChannelClaimRequest;
import io.millrace.store.ChannelClaimRequest.Candidate;
import io.millrace.store.ChannelClaimResult;
import io.millrace.store.ChannelMessage;
import io.millrace.store.Fence;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OutboxStore;
import io.millrace.tests.store.FaultCase.Operation;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Fault cases of hand-over by message. */
final class OutboxFaultCases {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Due LATER = new Due.After(HOUR);
  private static final ChannelMessage MESSAGE = new ChannelMessage("channel", Duration.ZERO, false);

  /** Keys of all messages; ids start from 1 in each scene. */
  private static final List<OutboxStore.Key> ALL =
      List.of(new OutboxStore.Key(1, 0), new OutboxStore.Key(2, 1));

  private OutboxFaultCases() {}

  static Stream<FaultCase> all() {
    return Stream.of(
        operation(
            "start with a message",
            s -> {
              StartSpec spec = s.instance().externalId("A").due(LATER).handover(MESSAGE);
              return Operation.again(() -> s.faulty.instances().start(List.of(spec.build())));
            }),
        operation(
            "save with a message",
            s -> {
              SaveSpec spec = s.move(s.startAndClaim()).due(LATER).handover(MESSAGE);
              return Operation.again(() -> s.faulty.instances().save(List.of(spec.build())));
            }),
        operation("claim instances", OutboxFaultCases::take).ignoring("lease_version"),
        operation(
            "update definitions",
            s ->
                Operation.again(() ->
                    s.faulty.executors().updateDefinitions(s.executor, List.of(s.definition, 77)))),
        operation(
            "report loop failures",
            s ->
                Operation.again(
                    () -> s.faulty.executors().reportLoopFailures(s.executor, "a loop failed"))),
        operation("claim messages", s -> outbox(s, outbox -> outbox.claim(10, HOUR))),
        operation("delete messages", s -> outbox(s, outbox -> outbox.markSent(ALL))),
        operation(
            "postpone messages", s -> outbox(s, outbox -> outbox.markFailed(ALL, "why", HOUR))),
        operation("read a message", s -> outbox(s, outbox -> outbox.unsent(ALL.getFirst()))));
  }

  /**
   * Returns a claim that is repeated as an engine does: instances that are owned but not held are
   * released, and the message is delivered again.
   */
  private static Operation take(FaultFixture scene) {
    long id = scene.start(scene.instance().due(LATER).variable("v", "1"));
    ChannelClaimRequest request =
        new ChannelClaimRequest(
            scene.executor,
            FaultFixture.GROUP,
            List.of(scene.definition),
            List.of(new Candidate(id, 0), new Candidate(id + 1, 0)));
    return new Operation(
        () -> scene.faulty.instances().claimForChannel(request),
        () -> {
          List<Fence> owned =
              scene.faulty.executors().ownedInstances(scene.executor).entrySet().stream()
                  .map(row -> new Fence(row.getKey(), scene.executor, row.getValue(), 0))
                  .toList();
          scene.faulty.instances().release(owned);
          assertThat(scene.faulty.instances().claimForChannel(request))
              .hasSize(2)
              .first()
              .isInstanceOf(ChannelClaimResult.Claimed.class);
        });
  }

  /**
   * Returns an operation with a message of a waiting instance, and a message of an instance that
   * has moved on.
   */
  private static Operation outbox(FaultFixture scene, Consumer<OutboxStore> call) {
    scene.start(scene.instance().due(LATER).handover(MESSAGE));
    WorkflowInstance gone = scene.startAndClaim();
    scene.direct.instances().save(List.of(scene.move(gone).due(LATER).handover(MESSAGE).build()));
    scene.direct.operators().apply(gone.id(), new OperatorCommand.Cancel(), FaultFixture.ACTION);
    return Operation.again(() -> call.accept(scene.faulty.role(OutboxStore.class)));
  }
}
