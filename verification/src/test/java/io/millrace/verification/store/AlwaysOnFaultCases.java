package io.millrace.verification.store;

import static io.millrace.verification.store.FaultCase.operation;

import io.millrace.data.FireId;
import io.millrace.instance.AuditQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.store.AlwaysOn;
import io.millrace.store.AlwaysOn.Desired;
import io.millrace.store.AlwaysOn.Request;
import io.millrace.store.AlwaysOnStore;
import io.millrace.store.AlwaysOnStore.Failure;
import io.millrace.store.AlwaysOnStore.Filter;
import io.millrace.store.AlwaysOnStore.FirePeriod;
import io.millrace.store.AlwaysOnStore.MemoryChange;
import io.millrace.store.AlwaysOnStore.MissedPeriod;
import io.millrace.store.AlwaysOnStore.Owner;
import io.millrace.store.AlwaysOnStore.Registration;
import io.millrace.store.AlwaysOnStore.TriggerFire;
import io.millrace.store.AlwaysOnStore.TriggerMiss;
import io.millrace.verification.store.FaultCase.Attempt;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Continuous workflows: owners, wishes, triggers. */
final class AlwaysOnFaultCases {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String NAME = "w";

  private AlwaysOnFaultCases() {}

  static Stream<FaultCase> all() {
    return Stream.of(wishes(), runs(), triggers(), executors()).flatMap(cases -> cases);
  }

  private static Stream<FaultCase> wishes() {
    return Stream.of(
        operation(
            "register continuous workflows",
            s -> {
              register(s, "known", "{}");
              return alwaysOn(
                  s,
                  store ->
                      store.register(
                          List.of(
                              registration("known", "{1}", Desired.OFF),
                              registration("on", "{}", Desired.ON),
                              registration("off", "{}", Desired.OFF))));
            }),
        operation(
            "remove a continuous workflow",
            s -> {
              register(s, NAME, "{}");
              s.direct.alwaysOn().offer(NAME, "key", "{}", 1_000);
              s.direct.alwaysOn().desire(NAME, Desired.OFF, FaultScene.DEED);
              return alwaysOn(s, store -> store.remove(NAME));
            }),
        operation(
            "switch a continuous workflow off",
            s -> {
              running(s);
              return alwaysOn(s, store -> store.desire(NAME, Desired.OFF, FaultScene.DEED));
            }),
        operation(
            "switch a continuous workflow on",
            s -> {
              running(s);
              s.direct.alwaysOn().desire(NAME, Desired.OFF, FaultScene.DEED);
              return alwaysOn(s, store -> store.desire(NAME, Desired.ON, FaultScene.DEED));
            }),
        operation(
            "ask something of a continuous workflow",
            s -> {
              running(s);
              return Attempt.unless(
                  () -> !s.direct.audit().list(AuditQuery.all()).items().isEmpty(),
                  () -> s.faulty.alwaysOn().ask(NAME, Request.RESTART, null, FaultScene.DEED));
            }),
        operation(
            "debug a continuous workflow",
            s -> {
              running(s);
              return alwaysOn(s, store -> store.debug(NAME, MINUTE, FaultScene.DEED));
            }),
        operation(
            "end debugging a continuous workflow",
            s -> {
              running(s);
              s.direct.alwaysOn().debug(NAME, MINUTE, FaultScene.DEED);
              return alwaysOn(s, store -> store.debug(NAME, Duration.ZERO, FaultScene.DEED));
            }),
        operation(
            "heed a change of a continuous workflow",
            s -> {
              Owner owner = owner(running(s));
              s.direct.alwaysOn().ask(NAME, Request.CONTINUE, null, FaultScene.DEED);
              int revision = s.direct.alwaysOn().changed(s.executor).getFirst().wish().revision();
              return alwaysOn(s, store -> store.heed(owner, revision));
            }),
        operation(
            "delete events of continuous workflows",
            s -> {
              s.direct.alwaysOn().release(List.of(owner(running(s))), "HAND_OVER", null);
              return Attempt.again(() -> s.faulty.retention().trimEvents(1, 10));
            }),
        operation(
            "read continuous workflows",
            s -> {
              running(s);
              s.direct.alwaysOn().offer(NAME, "key", "{}", 1_000);
              return alwaysOn(
                  s,
                  store -> {
                    store.find(NAME);
                    store.list(new Filter(FaultScene.GROUP, null, null, "w", true), null, 10);
                    store.load(FaultScene.GROUP);
                    store.orphans(FaultScene.GROUP, s.executor, 10);
                    store.owned(s.executor);
                    store.changed(s.executor);
                    store.offers(NAME, 10);
                    store.events(NAME, null, 10);
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
              return alwaysOn(s, store -> store.claim(s.executor, List.of(NAME, "v", "none")));
            }),
        operation(
            "continue a continuous workflow",
            s -> {
              AlwaysOn workflow = running(s);
              ended(s, workflow);
              s.direct.alwaysOn().settle(s.executor, List.of());
              return alwaysOn(
                  s, store -> store.continueAsNew(s.executor, List.of(), Duration.ZERO, "HOURLY"));
            }),
        operation(
            "give a continuous workflow back",
            s -> {
              Owner owner = owner(running(s));
              return alwaysOn(s, store -> store.release(List.of(owner), "HAND_OVER", s.executor));
            }),
        operation(
            "write that a trigger has failed",
            s -> {
              Owner owner = owner(running(s));
              return alwaysOn(
                  s, store -> store.failed(owner, new Failure("broken", 3, MINUTE, true)));
            }));
  }

  private static Stream<FaultCase> triggers() {
    return Stream.of(
        operation(
            "fire a trigger",
            s -> {
              TriggerFire fire = event(s, running(s), "1", null);
              return alwaysOn(s, store -> store.fire(fire));
            }),
        operation(
            "fire the event of a period",
            s -> {
              TriggerFire fire = event(s, running(s), "1", null);
              FireId missed = new FireId("trigger:" + NAME, "d1");
              TriggerFire once =
                  new TriggerFire(
                      fire.owner(),
                      fire.generation(),
                      fire.position(),
                      fire.execution(),
                      null,
                      new FirePeriod(new FireId("trigger:" + NAME, "d2"), List.of(missed)));
              return alwaysOn(s, store -> store.fire(once));
            }),
        operation(
            "record missed periods",
            s -> {
              AlwaysOn workflow = running(s);
              FireId missed = new FireId("trigger:" + NAME, "d1");
              TriggerMiss miss =
                  new TriggerMiss(
                      owner(workflow),
                      workflow.run().generation(),
                      "1",
                      List.of(new MissedPeriod(missed, "late")));
              return alwaysOn(s, store -> store.miss(miss));
            }),
        operation(
            "fire an event that came from outside",
            s -> {
              AlwaysOn workflow = running(s);
              s.direct.alwaysOn().offer(NAME, "key", "{}", 1_000);
              long offer = s.direct.alwaysOn().offers(NAME, 1).getFirst().id();
              TriggerFire fire = event(s, workflow, "1", offer);
              return alwaysOn(s, store -> store.fire(fire));
            }),
        operation(
            "fire an event again",
            s -> {
              AlwaysOn workflow = running(s);
              ended(s, workflow);
              s.direct.alwaysOn().settle(s.executor, List.of());
              TriggerFire fire = event(s, workflow, "1", null);
              return alwaysOn(s, store -> store.fire(fire));
            }),
        operation(
            "fire an event that changes what the trigger remembers",
            s -> {
              AlwaysOn workflow = running(s);
              s.direct.alwaysOn().fire(remembering(s, workflow, "1", List.of("a"), List.of()));
              long execution =
                  s.direct.alwaysOn().find(workflow.name()).orElseThrow().work().executionId();
              s.saved(s.move(s.read(execution)).end(InstanceStatus.FINISHED));
              s.direct.alwaysOn().settle(s.executor, List.of());
              TriggerFire fire = remembering(s, workflow, "2", List.of("b"), List.of("a"));
              return alwaysOn(s, store -> store.fire(fire));
            }),
        operation(
            "read what a trigger remembers",
            s -> {
              AlwaysOn workflow = running(s);
              s.direct.alwaysOn().fire(remembering(s, workflow, "1", List.of("a"), List.of()));
              return alwaysOn(s, store -> store.memory(NAME));
            }),
        operation(
            "move a trigger",
            s -> {
              Owner owner = owner(running(s));
              return alwaysOn(s, store -> store.move(owner, 1, "7"));
            }),
        operation(
            "settle an execution of a trigger",
            s -> {
              ended(s, running(s));
              return alwaysOn(s, store -> store.settle(s.executor, List.of()));
            }),
        operation(
            "keep an event from outside",
            s -> {
              running(s);
              return alwaysOn(s, store -> store.offer(NAME, "key", "{}", 1_000));
            }),
        operation(
            "refuse an event from outside",
            s -> {
              running(s);
              s.direct.alwaysOn().offer(NAME, "first", "{}", 1);
              return alwaysOn(s, store -> store.offer(NAME, "key", "{}", 1));
            }));
  }

  private static Stream<FaultCase> executors() {
    return Stream.of(
        operation(
            "sign off with continuous workflows",
            s -> {
              running(s);
              return Attempt.again(() -> s.faulty.executors().stop(s.executor));
            }),
        operation(
            "recover continuous workflows",
            s -> {
              running(s);
              s.held();
              s.expire();
              long heir = s.register(ProcessHandle.current().pid());
              return Attempt.again(() -> s.faulty.executors().recover(s.executor, heir, 10, 5));
            }));
  }

  private static Attempt alwaysOn(FaultScene scene, Consumer<AlwaysOnStore> call) {
    return Attempt.again(() -> call.accept(scene.faulty.alwaysOn()));
  }

  private static Registration registration(String name, String settings, Desired desired) {
    return new Registration(
        new AlwaysOn.Identity(name, FaultScene.GROUP, FaultScene.TYPE, settings), desired);
  }

  private static void register(FaultScene scene, String name, String settings) {
    scene.direct.alwaysOn().register(List.of(registration(name, settings, Desired.ON)));
  }

  private static AlwaysOn running(FaultScene scene) {
    register(scene, NAME, "{}");
    return scene.direct.alwaysOn().claim(scene.executor, List.of(NAME)).getFirst();
  }

  private static Owner owner(AlwaysOn workflow) {
    return new Owner(
        workflow.name(), workflow.ownership().executorId(), workflow.ownership().epoch());
  }

  private static TriggerFire event(FaultScene scene, AlwaysOn workflow, String key, Long offer) {
    return new TriggerFire(
        owner(workflow),
        workflow.run().generation(),
        key,
        scene.instance().externalId(key).heldBy(scene.executor).build(),
        offer);
  }

  private static TriggerFire remembering(
      FaultScene scene, AlwaysOn workflow, String key, List<String> added, List<String> removed) {
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
  private static void ended(FaultScene scene, AlwaysOn workflow) {
    scene.direct.alwaysOn().fire(event(scene, workflow, "1", null));
    long execution =
        scene.direct.alwaysOn().find(workflow.name()).orElseThrow().work().executionId();
    scene.saved(scene.move(scene.read(execution)).end(InstanceStatus.FINISHED));
  }
}
