package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.Deed;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.store.AlwaysOn;
import io.millrace.store.AlwaysOn.Desired;
import io.millrace.store.AlwaysOnStore.FireResult;
import io.millrace.store.AlwaysOnStore.MemoryChange;
import io.millrace.store.AlwaysOnStore.TriggerFire;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the items that triggers of continuous workflows remember with their events. */
class TriggerMemoryContractTest extends AlwaysOnContract {

  TriggerMemoryContractTest(StoreUnderTest subject) {
    super(subject);
  }

  private FireResult fire(AlwaysOn workflow, String key, List<String> added, List<String> removed) {
    TriggerFire fire = event(workflow, key, null);
    return alwaysOn.fire(
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
    AlwaysOn workflow = running("a");
    running("b");
    String longest = "'\"%_ 漢".repeat(33) + "12";
    List<String> many = IntStream.range(0, 5_000).mapToObj(i -> "item " + i).toList();
    assertThat(alwaysOn.memory(name("a"))).isEmpty();

    long execution =
        ((FireResult.Started) fire(workflow, "1", List.of("x", longest, "x"), List.of("y")))
            .executionId();
    assertThat(alwaysOn.memory(name("a"))).containsExactlyInAnyOrder("x", longest);
    assertThat(fire(workflow, "1", List.of("x", "y"), List.of()))
        .as("the same event again")
        .isEqualTo(new FireResult.Known(execution));
    assertThat(alwaysOn.memory(name("a"))).containsExactlyInAnyOrder("x", "y", longest);
    assertThat(fire(workflow, "2", List.of("z"), List.of("x")))
        .as("the execution of another event goes on")
        .isEqualTo(new FireResult.Lost());
    end(execution, InstanceStatus.FINISHED);
    alwaysOn.settle(executor, List.of());
    assertThat(fire(workflow, "3", many, List.of("x", longest, "none", "item 7")))
        .isInstanceOf(FireResult.Started.class);

    assertThat(alwaysOn.memory(name("a"))).hasSize(5_001).contains("y").containsAll(many);
    assertThat(alwaysOn.memory(name("b"))).isEmpty();
    for (String bad : List.of("", "x".repeat(201), "\0")) {
      assertThatThrownBy(() -> fire(workflow, "4", List.of(bad), List.of()))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("An item that the trigger of '" + name("a") + "' remembers");
    }
  }

  @Test
  void aFormerOwnerRemembersNothingAndARemovedWorkflowNeither() {
    AlwaysOn workflow = running("a");
    long execution =
        ((FireResult.Started) fire(workflow, "1", List.of("x"), List.of())).executionId();
    end(execution, InstanceStatus.FINISHED);
    alwaysOn.settle(executor, List.of());
    alwaysOn.release(List.of(owner(workflow)), "HAND_OVER", null);

    assertThat(fire(workflow, "2", List.of("y"), List.of("x"))).isEqualTo(new FireResult.Lost());
    assertThat(alwaysOn.memory(name("a"))).containsExactly("x");

    alwaysOn.desire(name("a"), Desired.OFF, Deed.by("ann"));
    assertThat(alwaysOn.remove(name("a"))).isTrue();
    register(Desired.OFF, "a");
    assertThat(alwaysOn.memory(name("a"))).isEmpty();
  }
}
