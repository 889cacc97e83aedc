package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.data.KeyContent;
import io.millrace.data.KeyId;
import io.millrace.fixtures.store.SaveSpec;
import io.millrace.fixtures.store.StartSpec;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ChannelMessage;
import io.millrace.store.ClaimRequest;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ExecutorStore.Recovered;
import io.millrace.store.KeyValueStore;
import io.millrace.store.KeyValueStore.Put;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorStore.CommandResult;
import io.millrace.store.SaveResult;
import io.millrace.store.SequenceStore;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import io.millrace.testing.MemoryContinuous;
import io.millrace.testing.MemoryData;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests of a store in memory that has the tables of some features only. */
class MemoryPartsTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final AtomicReference<Instant> time =
      new AtomicReference<>(Instant.parse("2026-03-01T00:00:00Z"));
  private final Store core = MemoryStore.with(time::get);

  @Test
  void theCoreAloneRunsRecoversAndRemoves() {
    long dead = register();
    long id = startAndClaim(dead).id();
    passes(HOUR.plus(MINUTE));
    long other = register();
    assertThat(core.executors().expired("group")).containsExactly(dead);
    assertThat(core.executors().recover(dead, other, 10, 3))
        .containsExactly(new Recovered(id, false));
    assertThat(core.executors().recoveredOwners("group")).isEmpty();

    save(new SaveSpec(claim(other)).end(InstanceStatus.FAILED));
    OperatorAction by = OperatorAction.by("operator");
    assertThat(core.operators().apply(id, new OperatorCommand.Retry(), by))
        .isInstanceOf(CommandResult.Applied.class);
    save(new SaveSpec(claim(other)).end(InstanceStatus.FINISHED));
    core.executors().markStopped(other);
    passes(HOUR);

    assertThat(core.retention().archive(MINUTE, 10)).isEqualTo(1);
    assertThat(core.retention().deleteExecutors(MINUTE, 10)).isEqualTo(2);
  }

  @Test
  void refusesWhatOnlyFeaturesHave() {
    assertThatThrownBy(() -> core.role(KeyValueStore.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("This store has no KeyValueStore. Create it with the part");
    WorkflowInstance held = startAndClaim(register());
    SaveSpec save =
        new SaveSpec(held)
            .with(List.of(Put.set(new KeyId("group", "key"), KeyContent.of("value"))));
    assertThatThrownBy(() -> save(save))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("The transition of instance " + held.id() + " to state 'next'")
        .hasMessageContaining("io.millrace.store.KeyValueStore$Put");
    assertThat(core.queries().find(held.id()).orElseThrow()).isEqualTo(held);

    StartSpec plain = new StartSpec("other", "group", 1);
    StartSpec message =
        new StartSpec("other", "group", 1)
            .handover(new ChannelMessage("channel", Duration.ZERO, false));
    assertThatThrownBy(() -> core.instances().start(List.of(plain.build(), message.build())))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("The start of workflow 'other' in state 'begin'")
        .hasMessageContaining("io.millrace.store.ChannelMessage");
    assertThat(core.queries().search(InstanceQuery.all(), null).items())
        .extracting(found -> found.id())
        .containsExactly(held.id());
  }

  @Test
  void continuousWorkflowsNeedTheDataBeforeThem() {
    assertThatThrownBy(() -> MemoryStore.with(time::get, MemoryContinuous.tables()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("need those of MemoryData")
        .hasMessageContaining("before MemoryContinuous.tables()");

    Store store = MemoryStore.with(time::get, MemoryData.tables(), MemoryContinuous.tables());
    assertThat(store.role(ContinuousStore.class)).isNotNull();
    assertThatThrownBy(() -> store.role(SequenceStore.class))
        .isInstanceOf(IllegalStateException.class);
  }

  private void passes(Duration duration) {
    time.set(time.get().plus(duration));
  }

  private long register() {
    return core.executors()
        .register(new ExecutorInfo.Identity("host", 1, "group", List.of(1), "1.0"), HOUR);
  }

  private WorkflowInstance startAndClaim(long executor) {
    core.instances().start(List.of(new StartSpec("type", "group", 1).build()));
    return claim(executor);
  }

  private WorkflowInstance claim(long executor) {
    ClaimRequest request = new ClaimRequest(executor, "group", List.of(1), 1);
    return core.instances().claim(request).claimed().getFirst().instance();
  }

  private void save(SaveSpec spec) {
    assertThat(core.instances().save(List.of(spec.build())))
        .singleElement()
        .isInstanceOf(SaveResult.Saved.class);
  }
}
