package io.millrace.tests.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.data.Reduction;
import io.millrace.definition.Next;
import io.millrace.fixtures.EngineFixture;
import io.millrace.retry.RetryPolicy;
import io.millrace.store.ReduceStore;
import io.millrace.store.Store;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests that a handler's commit of records is part of its transition. */
class ReduceInHandlerTest extends EngineFixture {

  record Row(int id, String text) {}

  private static final List<Row> ROWS = List.of(new Row(1, "a"), new Row(2, "b"));

  @Test
  void anAttemptThatThrowsCommitsNothing() {
    AtomicReference<Store> store = new AtomicReference<>();
    run(
        ManualEngine.defaultSettings(),
        clock -> {
          store.set(new MemoryStore(clock));
          return store.get();
        },
        job(
                ctx -> {
                  Reduction<Row> rows = ctx.reduce("rows").key("/id").reduce(ROWS);
                  log.add("due " + rows.changed().size());
                  rows.changed().forEach(row -> row.commit());
                  if (ctx.attempt() == 1) {
                    throw new IllegalStateException("again");
                  }
                  return Next.moveTo("end", "x");
                })
            .retry(RetryPolicy.fixed(Duration.ofSeconds(1)))
            .build());

    long id = startAndRun();
    engine.advance(Duration.ofMinutes(1));
    startAndRun();

    assertThat(log).containsExactly("due 2", "due 2", "due 0");
    assertThat(store.get().role(ReduceStore.class).find("rows").orElseThrow().committed())
        .isEqualTo(2);
    assertThat(id).isPositive();
  }

  @Test
  void onlyWhatSucceededIsCommitted() {
    run(
        job(
                ctx -> {
                  ctx.reduce("rows").key("/id").reduce(ROWS).changed().stream()
                      .peek(row -> log.add("load " + row.value().id()))
                      .filter(row -> row.value().id() == 1)
                      .forEach(row -> row.commit());
                  return Next.moveTo("end", "x");
                })
            .build());

    startAndRun();
    startAndRun();

    assertThat(log).containsExactly("load 1", "load 2", "load 2");
  }

  @Test
  void aReservationIsTheInstancesOverAllItsAttempts() {
    run(
        job(
                ctx -> {
                  int due =
                      ctx.reduce("rows")
                          .key("/id")
                          .reserve(Duration.ofHours(1))
                          .reduce(ROWS)
                          .changed()
                          .size();
                  log.add(ctx.instanceId() + " " + due);
                  if (ctx.attempt() == 1) {
                    throw new IllegalStateException("again");
                  }
                  return Next.moveTo("end", "x");
                })
            .retry(RetryPolicy.fixed(Duration.ofSeconds(1)))
            .build());

    long first = startAndRun();
    long second = startAndRun();
    engine.advance(Duration.ofMinutes(1));

    assertThat(log)
        .containsExactlyInAnyOrder(first + " 2", second + " 0", first + " 2", second + " 0");
  }
}
