package io.millrace.tests.continuous.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.fixtures.store.ContinuousStoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.OperatorAction;
import io.millrace.store.ContinuousStore.FireResult;
import io.millrace.store.ContinuousStore.MemoryChange;
import io.millrace.store.ContinuousStore.TriggerFire;
import io.millrace.store.StoredContinuousWorkflow;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the items that triggers of continuous workflows remember with their events. */
class TriggerMemoryContractTest extends ContinuousStoreContract {

  TriggerMemoryContractTest(StoreFixture subject) {
    super(subject);
  }

  private FireResult fire(
      StoredContinuousWorkflow workflow, String key, List<String> added, List<String> removed) {
    TriggerFire fire = event(workflow, key, null);
    return continuous.fire(
        new TriggerFire(
            fire.owner(),
            fire.generation(),
            null,
            fire.execution(),
            null,
            null,
            new MemoryChange(added, removed)));
  }

  @Test
  void itemsAreRememberedWithTheEventThatBringsThem() {
    StoredContinuousWorkflow workflow = running("a");
    running("b");
    String longest = "'\"%_ 漢".repeat(33) + "12";
    List<String> many = IntStream.range(0, 5_000).mapToObj(i -> "item " + i).toList();
    assertThat(continuous.memory(name("a"))).isEmpty();

    long execution =
        ((FireResult.Started) fire(workflow, "1", List.of("x", longest, "x"), List.of("y")))
            .executionId();
    assertThat(continuous.memory(name("a"))).containsExactlyInAnyOrder("x", longest);
    assertThat(fire(workflow, "1", List.of("x", "y"), List.of()))
        .as("the same event again")
        .isEqualTo(new FireResult.Duplicate(execution));
    assertThat(continuous.memory(name("a"))).containsExactlyInAnyOrder("x", "y", longest);
    assertThat(fire(workflow, "2", List.of("z"), List.of("x")))
        .as("the execution of another event goes on")
        .isEqualTo(new FireResult.NotOwner());
    end(execution, InstanceStatus.FINISHED);
    continuous.acknowledgeEnded(executor, List.of());
    assertThat(fire(workflow, "3", many, List.of("x", longest, "none", "item 7")))
        .isInstanceOf(FireResult.Started.class);

    Set<String> expected = new HashSet<>(many);
    expected.add("y");
    assertThat(new HashSet<>(continuous.memory(name("a"))).equals(expected)).isTrue();
    assertThat(continuous.memory(name("b"))).isEmpty();
    for (String bad : List.of("", "x".repeat(201), "\0", "\uD83D")) {
      assertThatThrownBy(() -> fire(workflow, "4", List.of(bad), List.of()))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("An item that the trigger of '" + name("a") + "' remembers");
    }
  }

  @Test
  void aFormerOwnerRemembersNothingAndARemovedWorkflowNeither() {
    StoredContinuousWorkflow workflow = running("a");
    long execution =
        ((FireResult.Started) fire(workflow, "1", List.of("x"), List.of())).executionId();
    end(execution, InstanceStatus.FINISHED);
    continuous.acknowledgeEnded(executor, List.of());
    continuous.release(List.of(owner(workflow)), "HAND_OVER", null);

    assertThat(fire(workflow, "2", List.of("y"), List.of("x")))
        .isEqualTo(new FireResult.NotOwner());
    assertThat(continuous.memory(name("a"))).containsExactly("x");

    continuous.setEnabled(name("a"), false, OperatorAction.by("ann"));
    assertThat(continuous.remove(name("a"))).isTrue();
    registerDisabled("a");
    assertThat(continuous.memory(name("a"))).isEmpty();
  }
}
