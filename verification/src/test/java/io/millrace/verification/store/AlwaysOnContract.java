package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceStatus;
import io.millrace.store.AlwaysOn;
import io.millrace.store.AlwaysOn.Desired;
import io.millrace.store.AlwaysOnStore;
import io.millrace.store.AlwaysOnStore.Event;
import io.millrace.store.AlwaysOnStore.EventType;
import io.millrace.store.AlwaysOnStore.FireResult;
import io.millrace.store.AlwaysOnStore.Owner;
import io.millrace.store.AlwaysOnStore.Registration;
import io.millrace.store.AlwaysOnStore.TriggerFire;
import io.millrace.store.ClaimRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** What the tests of continuous workflows have in common. */
abstract class AlwaysOnContract extends StoreContract {

  static final Duration MINUTE = Duration.ofMinutes(1);

  AlwaysOnStore alwaysOn;

  /** Of the current test alone; it stands before all names. */
  String prefix;

  AlwaysOnContract(StoreUnderTest subject) {
    super(subject);
  }

  @BeforeEach
  void beginAlwaysOn() {
    alwaysOn = store.alwaysOn();
    prefix = group + "-";
  }

  /** The full name of a workflow of the current test. */
  String name(String name) {
    return prefix + name;
  }

  AlwaysOn.Identity identity(String name) {
    return new AlwaysOn.Identity(name(name), group, type, "{\"every\":\"1m\"}");
  }

  void register(Desired desired, String... names) {
    alwaysOn.register(
        Arrays.stream(names).map(name -> new Registration(identity(name), desired)).toList());
  }

  /** A workflow that shall run, owned by {@link #executor}. */
  AlwaysOn running(String name) {
    register(Desired.ON, name);
    return claimed(executor, name);
  }

  AlwaysOn claimed(long executorId, String name) {
    List<AlwaysOn> claimed = alwaysOn.claim(executorId, List.of(name(name)));
    assertThat(claimed).hasSize(1);
    return claimed.getFirst();
  }

  void renew(long executorId) {
    store.executors().renew(executorId, TTL, ExecutorInfo.Load.NONE);
  }

  /** As it is now. */
  AlwaysOn found(String name) {
    return alwaysOn.find(name(name)).orElseThrow();
  }

  static Owner owner(AlwaysOn workflow) {
    return new Owner(
        workflow.name(), workflow.ownership().executorId(), workflow.ownership().epoch());
  }

  TriggerFire event(AlwaysOn workflow, String key, String position) {
    return new TriggerFire(
        owner(workflow),
        workflow.run().generation(),
        position,
        instance().externalId(workflow.name() + "/" + key).build(),
        null);
  }

  /** Fires where that must be possible, and answers with the execution. */
  long fired(AlwaysOn workflow, String key) {
    FireResult result = alwaysOn.fire(event(workflow, key, key));
    assertThat(result).isInstanceOf(FireResult.Started.class);
    return ((FireResult.Started) result).executionId();
  }

  /** Lets an execution that is due run to its end. */
  void end(long execution, InstanceStatus status) {
    store.work().claim(new ClaimRequest(executor, group, List.of(definition), 1_000));
    saved(move(read(execution)).end(status));
  }

  /** Fires, and settles the end of that. */
  void iterate(AlwaysOn workflow, String key) {
    end(fired(workflow, key), InstanceStatus.FINISHED);
    assertThat(alwaysOn.settle(executor, List.of(workflow.name()))).hasSize(1);
  }

  List<Event> events(String name) {
    return alwaysOn.events(name(name), null, 100);
  }

  List<EventType> types(String name) {
    return events(name).stream().map(Event::type).toList();
  }
}
