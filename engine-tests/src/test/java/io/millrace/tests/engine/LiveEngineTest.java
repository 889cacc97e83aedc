package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.definition.DefinitionException;
import io.millrace.definition.Next;
import io.millrace.definition.StateHandler;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.fixtures.LongLease;
import io.millrace.fixtures.Patience;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StartRequest;
import io.millrace.retry.RetryPolicy;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the engine on real threads: interceptors, listeners, and its end. */
class LiveEngineTest {

  private final List<String> log = new CopyOnWriteArrayList<>();
  private final List<EngineEvent> events = new CopyOnWriteArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final EngineBuilder builder =
      Engine.builder()
          .store(new MemoryStore(InstantSource.system()))
          .settings(LongLease::of)
          .listener(this::listen);
  private Engine engine;

  private void listen(EngineEvent event) {
    events.add(event);
    if (event instanceof EngineEvent.TransitionSaved saved
        && saved.transition().status().isTerminal()) {
      ended.countDown();
    }
  }

  private static WorkflowDefinition job(StateHandler handler) {
    return WorkflowDefinition.of("job")
        .start("work", handler)
        .end("end")
        .retry(RetryPolicy.never())
        .build();
  }

  private long run(StateHandler handler) throws InterruptedException {
    engine = builder.workflows(job(handler)).start();
    long id = engine.client().start(StartRequest.of("job").businessKey("key")).id();
    Patience.await(ended);
    return id;
  }

  private HistoryEntry last(long id) {
    return engine.client().history(id).getLast();
  }

  @AfterEach
  void close() {
    if (engine != null) {
      engine.drain(Duration.ofMillis(100));
    }
  }

  @Test
  void interceptorsWrapTheHandlerInTheirOrder() throws Exception {
    for (String name : List.of("a", "b")) {
      builder.interceptor((ctx, chain) -> {
        log.add(name + " in " + ctx.state());
        Next next = chain.proceed();
        log.add(name + " out " + next.reason());
        return next;
      });
    }
    run(ctx -> {
      log.add("handler");
      return Next.moveTo("end", "x");
    });
    assertThat(log).containsExactly("a in work", "b in work", "handler", "b out x", "a out x");
  }

  @Test
  void anInterceptorMayAnswerOtherwise() throws Exception {
    builder.interceptor((ctx, chain) -> Next.done("intercepted"));
    long id = run(ctx -> Next.fail("never called"));
    assertThat(last(id).outcome().reason()).isEqualTo("intercepted");
  }

  @Test
  void anInterceptorsExceptionIsAFailedAttempt() throws Exception {
    builder.interceptor((ctx, chain) -> {
      chain.proceed();
      throw new java.io.IOException("of the interceptor");
    });
    long id = run(ctx -> Next.moveTo("end", "x"));
    assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FAILED);
    assertThat(last(id).outcome().error()).contains("of the interceptor");
  }

  @Test
  void anInterceptorSeesTheHandlersException() throws Exception {
    builder.interceptor((ctx, chain) -> {
      try {
        return chain.proceed();
      } catch (IllegalStateException e) {
        return Next.done("healed " + e.getMessage());
      }
    });
    long id =
        run(ctx -> {
          throw new IllegalStateException("wound");
        });
    assertThat(last(id).outcome().reason()).isEqualTo("healed wound");
  }

  @Test
  void listenersThatThrowDisturbNobody() throws Exception {
    builder.listener(event -> {
      throw new IllegalStateException("listener");
    });
    builder.listener(event -> log.add(event.getClass().getSimpleName()));
    long id = run(ctx -> Next.moveTo("end", "x"));
    assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
    engine.close();
    assertThat(log)
        .contains("ExecutorStarted", "AttemptStarted", "TransitionSaved", "ExecutorStopped");
  }

  @Test
  void listenersThatThrowAnErrorDisturbNobody() throws Exception {
    builder.listener(event -> {
      if (event instanceof EngineEvent.InstanceEvent) {
        throw new AssertionError("listener");
      }
    });
    long id = run(ctx -> Next.moveTo("end", "x"));
    assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void eventsTellTheStoryOfAnInstance() throws Exception {
    long id = run(ctx -> Next.moveTo("end", "x"));
    assertThat(events)
        .filteredOn(e -> e instanceof EngineEvent.InstanceEvent)
        .hasSize(2)
        .first()
        .isEqualTo(new EngineEvent.AttemptStarted(id, "job", "work", 1));
  }

  @Test
  void aStartAfterTheEndIsRefusedInsteadOfWaitingForEver() throws Exception {
    run(ctx -> Next.moveTo("end", "x"));
    engine.close();
    CompletableFuture<Void> late =
        CompletableFuture.runAsync(() -> engine.client().start(StartRequest.of("job")))
            .orTimeout(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    assertThatThrownBy(late::join)
        .cause()
        .isNotInstanceOf(java.util.concurrent.TimeoutException.class);
  }

  @Test
  void aDefinitionRegisteredTwiceIsRefused() {
    builder.workflows(job(ctx -> Next.done("x")), job(ctx -> Next.done("y")));
    assertThatThrownBy(builder::start)
        .isInstanceOf(DefinitionException.class)
        .hasMessageContaining("job version 1 is registered twice");
  }

  @Test
  void anEngineWithoutADatabaseIsRefused() {
    assertThatThrownBy(() -> Engine.builder().start())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("dataSource");
  }
}
