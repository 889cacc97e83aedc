package io.millrace.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/recipes/limit-concurrency.md}. */
class LimitRecipeTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger peak = new AtomicInteger();
  private final CountDownLatch twoRun = new CountDownLatch(2);

  private WorkflowDefinition render() {
    return WorkflowDefinition.of("render").start("render", this::renderBesideAnother).build();
  }

  /** Returns when two handlers have run at the same time. */
  private Next renderBesideAnother(StateContext ctx) throws InterruptedException {
    peak.accumulateAndGet(running.incrementAndGet(), Math::max);
    twoRun.countDown();
    boolean besideAnother = twoRun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    running.decrementAndGet();
    return Next.done(besideAnother ? "rendered" : "rendered alone");
  }

  private static Engine renderer(DataSource database, WorkflowDefinition render) {
    // docs:group
    return Engine.builder()
        .dataSource(database)
        .workflows(render)
        .settings(settings -> settings.executorGroup("renderers").concurrency(2))
        .start();
    // docs:end
  }

  @Test
  void anEngineRunsNoMoreHandlersThanItsLimit() {
    JdbcConnectionPool database =
        JdbcConnectionPool.create("jdbc:h2:mem:limit;DB_CLOSE_DELAY=-1", "", "");
    try (Engine engine = renderer(database, render())) {
      List<Long> ids =
          IntStream.range(0, 8)
              .mapToObj(i -> engine.client().start(StartRequest.of("render", i)).id())
              .toList();
      assertThat(ids)
          .allSatisfy(id ->
              assertThat(engine.client().await(id, PATIENCE).position().reason())
                  .isEqualTo("rendered"));
      assertThat(peak).hasValue(2);
    }
  }

  private final List<Integer> converted = new ArrayList<>();

  private WorkflowDefinition convert() {
    return WorkflowDefinition.of("convert")
        .start(
            "convert",
            ctx -> {
              converted.add(ctx.input(Integer.class));
              return Next.done("converted");
            })
        .build();
  }

  private static WorkflowDefinition waves() {
    // docs:waves
    return WorkflowDefinition.of("convert-all")
        .start(
            "wave",
            ctx -> {
              int count = ctx.input(Integer.class);
              int from = ctx.find("from", Integer.class).orElse(0);
              if (from >= count) {
                return Next.done(count + " converted");
              }
              int to = Math.min(count, from + 5);
              for (int i = from; i < to; i++) {
                ctx.spawn(StartRequest.of("convert", i));
              }
              ctx.set("from", to);
              return Next.waitForChildren("wave", "items " + from + " to " + to);
            })
        .build();
    // docs:end
  }

  @Test
  void aParentStartsFiveChildrenAtATime() {
    try (ManualEngine engine = ManualEngine.with(waves(), convert())) {
      long id = engine.client().start(StartRequest.of("convert-all", 12)).id();
      engine.runUntilIdle();
      assertThat(converted).hasSize(12).doesNotHaveDuplicates();
      assertThat(engine.client().history(id))
          .extracting(entry -> entry.outcome().reason())
          .containsExactly("items 0 to 5", "items 5 to 10", "items 10 to 12", "12 converted");
    }
  }
}
