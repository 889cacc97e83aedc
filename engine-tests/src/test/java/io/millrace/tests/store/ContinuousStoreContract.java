package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceStatus;
import io.millrace.store.ClaimRequest;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.Event;
import io.millrace.store.ContinuousStore.EventType;
import io.millrace.store.ContinuousStore.FireResult;
import io.millrace.store.ContinuousStore.Owner;
import io.millrace.store.ContinuousStore.Registration;
import io.millrace.store.ContinuousStore.TriggerFire;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.store.StoredContinuousWorkflow.DesiredState;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** The base class of the contract tests of continuous workflows. */
abstract class ContinuousStoreContract extends StoreContract {

  static final Duration MINUTE = Duration.ofMinutes(1);

  ContinuousStore continuous;

  /** Prefix of all names, different for each test. */
  String prefix;

  ContinuousStoreContract(StoreFixture subject) {
    super(subject);
  }

  @BeforeEach
  void beginContinuousWorkflow() {
    continuous = store.role(ContinuousStore.class);
    prefix = group + "-";
  }

  /** Returns the full name of a workflow of the current test. */
  String name(String name) {
    return prefix + name;
  }

  StoredContinuousWorkflow.Identity identity(String name) {
    return new StoredContinuousWorkflow.Identity(name(name), group, type, "{\"every\":\"1m\"}");
  }

  void register(DesiredState desiredState, String... names) {
    continuous.register(
        Arrays.stream(names).map(name -> new Registration(identity(name), desiredState)).toList());
  }

  /** Returns a workflow that is enabled and owned by {@link #executor}. */
  StoredContinuousWorkflow running(String name) {
    register(DesiredState.ON, name);
    return claimed(executor, name);
  }

  StoredContinuousWorkflow claimed(long executorId, String name) {
    List<StoredContinuousWorkflow> claimed = continuous.claim(executorId, List.of(name(name)));
    assertThat(claimed).hasSize(1);
    return claimed.getFirst();
  }

  void renew(long executorId) {
    store.executors().renew(executorId, TTL, ExecutorInfo.Load.NONE);
  }

  /** Returns the current state of a workflow. */
  StoredContinuousWorkflow found(String name) {
    return continuous.find(name(name)).orElseThrow();
  }

  static Owner owner(StoredContinuousWorkflow workflow) {
    return new Owner(
        workflow.name(), workflow.ownership().executorId(), workflow.ownership().epoch());
  }

  TriggerFire event(StoredContinuousWorkflow workflow, String key, String position) {
    return new TriggerFire(
        owner(workflow),
        workflow.run().generation(),
        position,
        instance().externalId(workflow.name() + "/" + key).build(),
        null);
  }

  /** Fires where that must succeed, and returns the execution. */
  long fire(StoredContinuousWorkflow workflow, String key) {
    FireResult result = continuous.fire(event(workflow, key, key));
    assertThat(result).isInstanceOf(FireResult.Started.class);
    return ((FireResult.Started) result).executionId();
  }

  /** Lets an execution that is due end. */
  void end(long execution, InstanceStatus status) {
    store.instances().claim(new ClaimRequest(executor, group, List.of(definition), 1_000));
    saveAccepted(transitionOf(read(execution)).end(status));
  }

  /** Fires, and ends the execution, and acknowledges that end. */
  void iterate(StoredContinuousWorkflow workflow, String key) {
    end(fire(workflow, key), InstanceStatus.FINISHED);
    assertThat(continuous.acknowledgeEnded(executor, List.of(workflow.name()))).hasSize(1);
  }

  List<Event> events(String name) {
    return continuous.events(name(name), null, 100);
  }

  List<EventType> types(String name) {
    return events(name).stream().map(Event::type).toList();
  }
}
