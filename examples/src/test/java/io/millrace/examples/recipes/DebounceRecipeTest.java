package io.millrace.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.WorkflowClient;
import io.millrace.definition.Next;
import io.millrace.definition.ReceivedSignal;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/recipes/debounce-signals.md}. */
class DebounceRecipeTest {

  private final List<String> indexed = new ArrayList<>();

  // docs:definition
  private static final Duration QUIET = Duration.ofSeconds(30);
  private static final Duration AT_MOST = Duration.ofMinutes(5);

  WorkflowDefinition reindex() {
    return WorkflowDefinition.of("reindex")
        .start("idle", ctx -> Next.moveTo("asleep", "waits for a change"))
        .await("asleep", "changed", this::firstChange)
        .await("collect", "changed", QUIET, this::collect)
        .state("index", this::index)
        .build();
  }

  private Next firstChange(StateContext ctx, Optional<ReceivedSignal> change) {
    ctx.set("since", ctx.now());
    return Next.moveTo("collect", "first change");
  }

  private Next collect(StateContext ctx, Optional<ReceivedSignal> change) {
    boolean quiet = change.isEmpty();
    boolean late = ctx.now().isAfter(ctx.get("since", Instant.class).plus(AT_MOST));
    return quiet || late
        ? Next.moveTo("index", quiet ? "quiet for 30 s" : "changes for 5 minutes")
        : Next.moveTo("collect", "one more change");
  }

  private Next index(StateContext ctx) {
    indexed.add(ctx.input(String.class));
    return Next.moveTo("asleep", "indexed");
  }

  // docs:end

  private static void changed(WorkflowClient client, String product) {
    // docs:send
    long id =
        client.start(StartRequest.of("reindex", product).externalId("reindex " + product)).id();
    client.signal(id, "changed");
    // docs:end
  }

  @Test
  void manyChangesAreOneIndexing() {
    try (ManualEngine engine = ManualEngine.with(reindex())) {
      for (int i = 0; i < 10; i++) {
        changed(engine.client(), "lamp");
        engine.advance(Duration.ofSeconds(10));
      }
      assertThat(indexed).isEmpty();
      engine.advance(QUIET);
      assertThat(indexed).containsExactly("lamp");
      changed(engine.client(), "lamp");
      engine.advance(QUIET.plusSeconds(1));
      assertThat(indexed).containsExactly("lamp", "lamp");
    }
  }

  @Test
  void changesThatDoNotEndAreIndexedAfterFiveMinutes() {
    try (ManualEngine engine = ManualEngine.with(reindex())) {
      for (int i = 0; i < 32; i++) {
        changed(engine.client(), "lamp");
        engine.advance(Duration.ofSeconds(10));
      }
      assertThat(indexed).containsExactly("lamp");
    }
  }

  @Test
  void productsAreIndependent() {
    try (ManualEngine engine = ManualEngine.with(reindex())) {
      changed(engine.client(), "lamp");
      changed(engine.client(), "chair");
      engine.advance(QUIET.plusSeconds(1));
      assertThat(indexed).containsExactlyInAnyOrder("lamp", "chair");
    }
  }
}
