package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.FaultyStore;
import io.millrace.fixtures.Patience;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StartRequest;
import io.millrace.store.QueryStore;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import io.millrace.testing.SettableClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests that an executor warms up before it claims work and before others rely on it. */
class WarmUpTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final List<String> log = new ArrayList<>();
  private final AtomicReference<SettableClock> clock = new AtomicReference<>();
  private final AtomicReference<BiConsumer<String, Object[]>> reads =
      new AtomicReference<>((call, args) -> {});
  private final WorkflowDefinition job =
      WorkflowDefinition.of("job")
          .start(
              "work",
              ctx -> {
                log.add("work");
                return Next.done("done");
              })
          .build();

  private ManualEngine engine(UnaryOperator<EngineBuilder> more) {
    return ManualEngine.with(
        ManualEngine.defaultSettings(),
        settable -> {
          clock.set(settable);
          return watched(new MemoryStore(settable));
        },
        builder -> more.apply(builder.workflows(job).warmUp(MINUTE)));
  }

  /** Returns a store that reports its reads before they are made. */
  private Store watched(Store store) {
    QueryStore queries =
        proxy(
            QueryStore.class,
            (method, args) -> {
              reads.get().accept(method.getName(), args);
              return method.invoke(store.queries(), args);
            });
    return proxy(
        Store.class,
        (method, args) ->
            method.getName().equals("queries") ? queries : method.invoke(store, args));
  }

  private interface Call {
    Object on(Method method, Object[] args) throws Exception;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, args) -> {
              try {
                return call.on(method, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private static ExecutorInfo newest(Engine engine) {
    return engine.admin().executors().getFirst().executor();
  }

  @Test
  void nothingIsTakenBeforeTheWarmUpHasEnded() {
    UnaryOperator<EngineBuilder> slow =
        builder ->
            builder.onWarmUp(() -> {
              log.add("warm");
              clock.get().advance(Duration.ofSeconds(20));
            });
    try (ManualEngine engine = engine(slow)) {
      engine.client().start(StartRequest.of("job").after(Duration.ofSeconds(5)));
      engine.killExecutor();
      engine.runUntilIdle();

      assertThat(log).containsExactly("warm", "warm", "work");
      ExecutorInfo fresh = newest(engine.engine());
      assertThat(fresh.readiness().warm()).isTrue();
      assertThat(fresh.readiness().setup()).isEqualTo(Duration.ofSeconds(20));
      assertThat(fresh.readiness().ready()).isEqualTo(fresh.started().plusSeconds(20));
    }
  }

  @Test
  void oneWhoseHookFailsTakesWorkAndCountsAsCold() {
    List<EngineEvent.ExecutorReady> told = new ArrayList<>();
    UnaryOperator<EngineBuilder> failing =
        builder ->
            builder
                .onWarmUp(() -> {
                  throw new IllegalStateException("planned");
                })
                .onWarmUp(() -> log.add("second hook"))
                .listener(event -> {
                  if (event instanceof EngineEvent.ExecutorReady ready) {
                    told.add(ready);
                  }
                });
    try (ManualEngine engine = engine(failing)) {
      engine.client().start(StartRequest.of("job"));
      engine.runUntilIdle();

      assertThat(log).containsExactly("second hook", "work");
      assertThat(newest(engine.engine()).readiness().warm()).isFalse();
      assertThat(newest(engine.engine()).readiness().ready()).isNotNull();
      assertThat(told).extracting(EngineEvent.ExecutorReady::warm).containsExactly(false);
    }
  }

  @Test
  void aDatabaseThatDoesNotAnswerDoesNotKeepAnEngineFromStarting() {
    try (ManualEngine engine = engine(builder -> builder)) {
      engine.client().start(StartRequest.of("job"));
      engine.runUntilIdle();
      List<String> asked = new ArrayList<>();
      reads.set((call, args) -> {
        asked.add(call);
        throw new StoreException("planned", false, null);
      });
      engine.killExecutor();
      engine.runUntilIdle();

      assertThat(asked).containsExactly("now");
      reads.set((call, args) -> {});
      assertThat(newest(engine.engine()).readiness().warm()).isTrue();
    }
  }

  @Test
  void whatWasUsedWithinADayIsReadOnce() {
    List<Object> read = new ArrayList<>();
    try (ManualEngine engine = engine(builder -> builder)) {
      long old = engine.client().start(StartRequest.of("job")).id();
      engine.advance(Duration.ofHours(25));
      reads.set((call, args) -> {
        if (call.equals("history")) {
          read.add(args[0]);
        }
      });
      engine.killExecutor();
      assertThat(read).isEmpty();

      engine.client().start(StartRequest.of("job"));
      long newest = engine.client().start(StartRequest.of("job")).id();
      engine.killExecutor();
      assertThat(newest).isGreaterThan(old);
      assertThat(read).containsExactly(newest);
    }
  }

  @Test
  void oneThatTakesTooLongIsWarmLater() throws Exception {
    CountDownLatch hold = new CountDownLatch(1);
    try (Engine engine =
        Engine.builder()
            .store(new MemoryStore(InstantSource.system()))
            .workflows(job)
            .settings(s -> s.lease(Duration.ofHours(1), Duration.ofMillis(20)))
            .warmUp(Duration.ofMillis(1))
            .onWarmUp(() -> await(hold))
            .start()) {
      long id = engine.client().start(StartRequest.of("job")).id();
      assertThat(engine.client().await(id, Patience.LIMIT).status().isTerminal()).isTrue();
      ConditionPoller.await("it is ready", () -> newest(engine).readiness().ready() != null);
      assertThat(newest(engine).readiness().warm()).isFalse();

      hold.countDown();
      ConditionPoller.await("it is warm", () -> newest(engine).readiness().warm());
      assertThat(newest(engine).readiness().setup()).isNotNull();
    }
  }

  @Test
  void oneThatBecomesWarmWhileItReportsThatItIsReadyIsWarm() throws Exception {
    FaultyStore store = new FaultyStore(new MemoryStore(InstantSource.system()));
    CompletableFuture<Thread> hook = new CompletableFuture<>();
    CountDownLatch reporting = new CountDownLatch(1);
    store.before(
        "markReady",
        () -> {
          reporting.countDown();
          join(hook.join());
        });
    try (Engine engine =
        Engine.builder()
            .store(store)
            .workflows(job)
            .settings(s -> s.lease(Duration.ofHours(1), Duration.ofMillis(20)))
            .warmUp(Duration.ofMillis(1))
            .onWarmUp(() -> {
              hook.complete(Thread.currentThread());
              await(reporting);
            })
            .start()) {
      ConditionPoller.await("it is warm", () -> newest(engine).readiness().warm());
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aNegativeTimeIsRefused() {
    assertThatThrownBy(() -> Engine.builder().warmUp(Duration.ofSeconds(-1)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("time to warm up is PT-1S");
  }
}
