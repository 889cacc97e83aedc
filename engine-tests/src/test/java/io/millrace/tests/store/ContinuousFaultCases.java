package io.millrace.tests.store;

import static io.millrace.tests.store.FaultCase.operation;

import io.millrace.data.PeriodId;
import io.millrace.instance.AuditQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.Filter;
import io.millrace.store.ContinuousStore.FirePeriod;
import io.millrace.store.ContinuousStore.MemoryChange;
import io.millrace.store.ContinuousStore.MissedPeriod;
import io.millrace.store.ContinuousStore.Owner;
import io.millrace.store.ContinuousStore.Registration;
import io.millrace.store.ContinuousStore.TriggerFailure;
import io.millrace.store.ContinuousStore.TriggerFire;
import io.millrace.store.ContinuousStore.TriggerMiss;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.store.StoredContinuousWorkflow.OwnerRequest;
import io.millrace.tests.store.FaultCase.Operation;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Fault cases of continuous workflows: owners, requests, triggers. */
final class ContinuousFaultCases {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String NAME = "w";

  private ContinuousFaultCases() {}

  static Stream<FaultCase> all() {
    return Stream.of(requests(), runs(), triggers(), executors()).flatMap(cases -> cases);
  }

  private static Stream<FaultCase> requests() {
    return Stream.of(
        operation(
            "register continuous workflows",
            s -> {
              register(s, "known", "{}");
              return continuous(
                  s,
                  store ->
                      store.register(
                          List.of(
                              registration("known", "{1}", false),
                              registration("on", "{}", true),
                              registration("off", "{}", false))));
            }),
        operation(
            "remove a continuous workflow",
            s -> {
              register(s, NAME, "{}");
              s.direct.role(ContinuousStore.class).offer(NAME, "key", "{}", 1_000);
              s.direct.role(ContinuousStore.class).setEnabled(NAME, false, FaultFixture.ACTION);
              return continuous(s, store -> store.remove(NAME));
            }),
        operation(
                "register a continuous workflow whose name is half removed",
                s -> {
                  halfRemoved(s);
                  return continuous(
                      s, store -> store.register(List.of(registration(NAME, "{}", true))));
                })
            .committingFirst(s -> s.direct.role(ContinuousStore.class).resumeRemovals()),
        operation(
            "go on with the removal of a continuous workflow",
            s -> {
              halfRemoved(s);
              return Operation.again(() -> s.faulty.role(ContinuousStore.class).resumeRemovals());
            }),
        operation(
            "disable a continuous workflow",
            s -> {
              running(s);
              return continuous(s, store -> store.setEnabled(NAME, false, FaultFixture.ACTION));
            }),
        operation(
            "enable a continuous workflow",
            s -> {
              running(s);
              s.direct.role(ContinuousStore.class).setEnabled(NAME, false, FaultFixture.ACTION);
              return continuous(s, store -> store.setEnabled(NAME, true, FaultFixture.ACTION));
            }),
        operation(
            "ask something of a continuous workflow",
            s -> {
              running(s);
              return Operation.unless(
                  () -> !s.direct.audit().list(AuditQuery.all()).items().isEmpty(),
                  () ->
                      s.faulty
                          .role(ContinuousStore.class)
                          .request(NAME, OwnerRequest.RESTART, null, FaultFixture.ACTION));
            }),
        operation(
            "debug a continuous workflow",
            s -> {
              running(s);
              return continuous(s, store -> store.debug(NAME, MINUTE, FaultFixture.ACTION));
            }),
        operation(
            "end debugging a continuous workflow",
            s -> {
              running(s);
              s.direct.role(ContinuousStore.class).debug(NAME, MINUTE, FaultFixture.ACTION);
              return continuous(s, store -> store.debug(NAME, Duration.ZERO, FaultFixture.ACTION));
            }),
        operation(
            "heed a change of a continuous workflow",
            s -> {
              Owner owner = owner(running(s));
              s.direct
                  .role(ContinuousStore.class)
                  .request(NAME, OwnerRequest.CONTINUE, null, FaultFixture.ACTION);
              int revision =
                  s.direct
                      .role(ContinuousStore.class)
                      .changed(s.executor)
                      .getFirst()
                      .requested()
                      .revision();
              return continuous(s, store -> store.acknowledge(owner, revision));
            }),
        operation(
            "delete events of continuous workflows",
            s -> {
              s.direct
                  .role(ContinuousStore.class)
                  .release(List.of(owner(running(s))), "HAND_OVER", null);
              return Operation.again(() -> s.faulty.role(ContinuousStore.class).trimLog(1, 10));
            }),
        operation(
            "read continuous workflows",
            s -> {
              running(s);
              s.direct.role(ContinuousStore.class).offer(NAME, "key", "{}", 1_000);
              return continuous(
                  s,
                  store -> {
                    store.find(NAME);
                    store.list(new Filter(FaultFixture.GROUP, null, null, "w", true), null, 10);
                    store.ownedCounts(FaultFixture.GROUP);
                    store.unowned(FaultFixture.GROUP, s.executor, 10);
                    store.owned(s.executor);
                    store.changed(s.executor);
                    store.offeredEvents(NAME, 10);
                    store.log(NAME, null, 10);
                  });
            }));
  }

  private static Stream<FaultCase> runs() {
    return Stream.of(
        operation(
            "claim continuous workflows",
            s -> {
              register(s, NAME, "{}");
              register(s, "v", "{}");
              return continuous(s, store -> store.claim(s.executor, List.of(NAME, "v", "none")));
            }),
        operation(
            "continue a continuous workflow",
            s -> {
              StoredContinuousWorkflow workflow = running(s);
              ended(s, workflow);
              s.direct.role(ContinuousStore.class).acknowledgeEnded(s.executor, List.of());
              return continuous(
                  s, store -> store.continueAsNew(s.executor, List.of(), Duration.ZERO, "HOURLY"));
            }),
        operation(
            "give a continuous workflow back",
            s -> {
              Owner owner = owner(running(s));
              return continuous(s, store -> store.release(List.of(owner), "HAND_OVER", s.executor));
            }),
        operation(
            "write that a trigger has failed",
            s -> {
              Owner owner = owner(running(s));
              return continuous(
                  s,
                  store ->
                      store.recordFailure(owner, new TriggerFailure("broken", 3, MINUTE, true)));
            }));
  }

  private static Stream<FaultCase> triggers() {
    return Stream.of(
        operation(
            "fire a trigger",
            s -> {
              TriggerFire fire = event(s, running(s), "1", null);
              return continuous(s, store -> store.fire(fire));
            }),
        operation(
            "fire the event of a period",
            s -> {
              TriggerFire fire = event(s, running(s), "1", null);
              PeriodId missed = new PeriodId("trigger:" + NAME, "d1");
              TriggerFire once =
                  new TriggerFire(
                      fire.owner(),
                      fire.generation(),
                      fire.position(),
                      fire.execution(),
                      null,
                      new FirePeriod(new PeriodId("trigger:" + NAME, "d2"), List.of(missed)));
              return continuous(s, store -> store.fire(once));
            }),
        operation(
            "record missed periods",
            s -> {
              StoredContinuousWorkflow workflow = running(s);
              PeriodId missed = new PeriodId("trigger:" + NAME, "d1");
              TriggerMiss miss =
                  new TriggerMiss(
                      owner(workflow),
                      workflow.run().generation(),
                      "1",
                      List.of(new MissedPeriod(missed, "late")));
              return continuous(s, store -> store.recordMissed(miss));
            }),
        operation(
            "fire an offered event",
            s -> {
              StoredContinuousWorkflow workflow = running(s);
              s.direct.role(ContinuousStore.class).offer(NAME, "key", "{}", 1_000);
              long offer =
                  s.direct.role(ContinuousStore.class).offeredEvents(NAME, 1).getFirst().id();
              TriggerFire fire = event(s, workflow, "1", offer);
              return continuous(s, store -> store.fire(fire));
            }),
        operation(
            "fire an event again",
            s -> {
              StoredContinuousWorkflow workflow = running(s);
              ended(s, workflow);
              s.direct.role(ContinuousStore.class).acknowledgeEnded(s.executor, List.of());
              TriggerFire fire = event(s, workflow, "1", null);
              return continuous(s, store -> store.fire(fire));
            }),
        operation(
            "fire an event that changes what the trigger remembers",
            s -> {
              StoredContinuousWorkflow workflow = running(s);
              s.direct
                  .role(ContinuousStore.class)
                  .fire(remembering(s, workflow, "1", List.of("a"), List.of()));
              long execution =
                  s.direct
                      .role(ContinuousStore.class)
                      .find(workflow.name())
                      .orElseThrow()
                      .activity()
                      .executionId();
              s.saved(s.move(s.read(execution)).end(InstanceStatus.FINISHED));
              s.direct.role(ContinuousStore.class).acknowledgeEnded(s.executor, List.of());
              TriggerFire fire = remembering(s, workflow, "2", List.of("b"), List.of("a"));
              return continuous(s, store -> store.fire(fire));
            }),
        operation(
            "read what a trigger remembers",
            s -> {
              StoredContinuousWorkflow workflow = running(s);
              s.direct
                  .role(ContinuousStore.class)
                  .fire(remembering(s, workflow, "1", List.of("a"), List.of()));
              return continuous(s, store -> store.memory(NAME));
            }),
        operation(
            "move a trigger",
            s -> {
              Owner owner = owner(running(s));
              return continuous(s, store -> store.updatePosition(owner, 1, "7"));
            }),
        operation(
            "acknowledge the end of an execution of a trigger",
            s -> {
              ended(s, running(s));
              return continuous(s, store -> store.acknowledgeEnded(s.executor, List.of()));
            }),
        operation(
            "offer an event",
            s -> {
              running(s);
              return continuous(s, store -> store.offer(NAME, "key", "{}", 1_000));
            }),
        operation(
            "refuse an offered event",
            s -> {
              running(s);
              s.direct.role(ContinuousStore.class).offer(NAME, "first", "{}", 1);
              return continuous(s, store -> store.offer(NAME, "key", "{}", 1));
            }));
  }

  private static Stream<FaultCase> executors() {
    return Stream.of(
        operation(
            "sign off with continuous workflows",
            s -> {
              running(s);
              return Operation.again(() -> s.faulty.executors().markStopped(s.executor));
            }),
        operation(
            "recover continuous workflows",
            s -> {
              running(s);
              s.startAndClaim();
              s.expire();
              long heir = s.register(ProcessHandle.current().pid());
              return Operation.again(() -> s.faulty.executors().recover(s.executor, heir, 10, 5));
            }));
  }

  private static Operation continuous(FaultFixture scene, Consumer<ContinuousStore> call) {
    return Operation.again(() -> call.accept(scene.faulty.role(ContinuousStore.class)));
  }

  private static Registration registration(String name, String settings, boolean enabled) {
    return new Registration(
        new StoredContinuousWorkflow.Identity(
            name, FaultFixture.GROUP, FaultFixture.TYPE, settings),
        enabled);
  }

  private static void register(FaultFixture scene, String name, String settings) {
    scene.direct.role(ContinuousStore.class).register(List.of(registration(name, settings, true)));
  }

  private static StoredContinuousWorkflow running(FaultFixture scene) {
    register(scene, NAME, "{}");
    return scene.direct.role(ContinuousStore.class).claim(scene.executor, List.of(NAME)).getFirst();
  }

  private static Owner owner(StoredContinuousWorkflow workflow) {
    return new Owner(
        workflow.name(), workflow.ownership().executorId(), workflow.ownership().epoch());
  }

  private static TriggerFire event(
      FaultFixture scene, StoredContinuousWorkflow workflow, String key, Long offer) {
    return new TriggerFire(
        owner(workflow),
        workflow.run().generation(),
        key,
        scene.instance().externalId(key).heldBy(scene.executor).build(),
        offer);
  }

  private static TriggerFire remembering(
      FaultFixture scene,
      StoredContinuousWorkflow workflow,
      String key,
      List<String> added,
      List<String> removed) {
    TriggerFire fire = event(scene, workflow, key, null);
    return new TriggerFire(
        fire.owner(),
        fire.generation(),
        key,
        fire.execution(),
        null,
        null,
        new MemoryChange(added, removed));
  }

  /** Fires, and ends the execution. */
  private static void ended(FaultFixture scene, StoredContinuousWorkflow workflow) {
    scene.direct.role(ContinuousStore.class).fire(event(scene, workflow, "1", null));
    long execution =
        scene
            .direct
            .role(ContinuousStore.class)
            .find(workflow.name())
            .orElseThrow()
            .activity()
            .executionId();
    scene.saved(scene.move(scene.read(execution)).end(InstanceStatus.FINISHED));
  }

  /** Leaves an event of a workflow whose own row is removed. */
  private static void halfRemoved(FaultFixture s) {
    register(s, NAME, "{}");
    s.direct.role(ContinuousStore.class).offer(NAME, "key", "{}", 1_000);
    s.execute(
        "DELETE FROM millrace_continuous_workflow",
        "INSERT INTO millrace_continuous_removal (name) VALUES ('w')");
  }
}
