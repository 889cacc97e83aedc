package io.millrace.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.retry.RetryPolicy;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/recipes/fan-out-and-join.md}. */
class FanOutRecipeTest {

  private static int pagesOf(String book) {
    if (book.isBlank()) {
      throw new IllegalStateException("no such book");
    }
    return book.length() * 100;
  }

  private static WorkflowDefinition child() {
    // docs:child
    return WorkflowDefinition.of("count-book")
        .start(
            "count",
            ctx -> {
              ctx.set("pages", pagesOf(ctx.input(String.class)));
              return Next.done("counted");
            })
        .retry(RetryPolicy.fixed(Duration.ofSeconds(5)).maxAttempts(3))
        .build();
    // docs:end
  }

  private static WorkflowDefinition parent() {
    // docs:parent
    return WorkflowDefinition.of("count-shelf")
        .start(
            "split",
            ctx -> {
              for (String book : ctx.input(String[].class)) {
                ctx.spawn(StartRequest.of("count-book", book));
              }
              return Next.waitForChildren("join", "one child for each book");
            })
        .state(
            "join",
            ctx -> {
              if (ctx.children().failed() > 0) {
                return Next.fail(ctx.children().failed() + " books could not be counted");
              }
              List<Integer> pages = ctx.childVariables("pages", Integer.class);
              ctx.set("pages", pages.stream().mapToInt(Integer::intValue).sum());
              return Next.done(pages.size() + " books");
            })
        .build();
    // docs:end
  }

  @Test
  void theParentAddsUpWhatItsChildrenFound() {
    try (ManualEngine engine = ManualEngine.with(parent(), child())) {
      long id = start(engine, "Emma", "Dune");
      engine.runUntilIdle();
      assertThat(engine.client().variable(id, "pages", Integer.class)).contains(800);
    }
  }

  @Test
  void aChildThatFailsFailsTheParent() {
    try (ManualEngine engine = ManualEngine.with(parent(), child())) {
      long id = start(engine, "Emma", " ");
      engine.advance(Duration.ofMinutes(1));
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FAILED);
      assertThat(engine.client().get(id).position().reason())
          .contains("1 books could not be counted");
    }
  }

  @Test
  void withoutBooksTheParentDoesNotWait() {
    try (ManualEngine engine = ManualEngine.with(parent(), child())) {
      long id = start(engine);
      engine.runUntilIdle();
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
    }
  }

  private static long start(ManualEngine engine, String... books) {
    return engine.client().start(StartRequest.of("count-shelf", books)).id();
  }
}
