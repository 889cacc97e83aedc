package io.millrace.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Polling;
import io.millrace.SingleMethodFake;
import io.millrace.codec.Codec;
import io.millrace.codec.TypeRef;
import io.millrace.definition.CancelToken;
import io.millrace.definition.StateContext;
import io.millrace.lifecycle.BoundedThreadPool;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Chunks end with their attempt, also those that never started. */
class ChunkRunnerTest {

  @Test
  void chunksThatWaitWhenThePoolIsClosedHaveFailed() {
    CountDownLatch never = new CountDownLatch(1);
    BoundedThreadPool pool =
        new BoundedThreadPool("chunk", new BoundedThreadPool.Size(1, 1, Duration.ofMinutes(1), 1));
    try {
      List<Chunk<Boolean>> chunks =
          List.of(
              new Chunk<>(
                  "runs",
                  () -> {
                    Polling.until("one waits", () -> pool.waiting() > 0);
                    pool.close();
                    return never.await(1, TimeUnit.HOURS);
                  }),
              new Chunk<>("waits", () -> true),
              new Chunk<>("finds no place", () -> true));

      assertThatThrownBy(() ->
              new ChunkRunner<>(context(), pool, noValues(), TypeRef.of(Boolean.class), chunks)
                  .run())
          .isInstanceOfSatisfying(
              ChunksFailedException.class,
              e -> {
                assertThat(e.failures()).containsOnlyKeys("runs", "waits", "finds no place");
                assertThat(e.failures().get("runs")).isInstanceOf(InterruptedException.class);
                for (String name : List.of("waits", "finds no place")) {
                  assertThat(e.failures().get(name))
                      .hasMessageContaining("was not begun, since its node is stopping");
                }
              });
    } finally {
      pool.close();
    }
  }

  /** Returns a codec that is not needed, since no chunk has a result. */
  private static Codec noValues() {
    return SingleMethodFake.of(Codec.class, "none", args -> args);
  }

  /** Returns a context in which nothing is stored and nothing is cancelled. */
  private static StateContext context() {
    return (StateContext)
        Proxy.newProxyInstance(
            ChunkRunnerTest.class.getClassLoader(),
            new Class<?>[] {StateContext.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "onceResult" -> Optional.empty();
                  case "once" -> args[2] instanceof Callable<?> work ? work.call() : null;
                  case "cancelToken" -> token();
                  default -> null;
                });
  }

  private static CancelToken token() {
    return (CancelToken)
        Proxy.newProxyInstance(
            ChunkRunnerTest.class.getClassLoader(),
            new Class<?>[] {CancelToken.class},
            (proxy, method, args) -> method.getReturnType() == boolean.class ? false : null);
  }
}
