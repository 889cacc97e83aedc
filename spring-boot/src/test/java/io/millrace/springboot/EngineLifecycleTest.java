package io.millrace.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.Patience;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

class EngineLifecycleTest {

  private static final List<String> EVENTS = new CopyOnWriteArrayList<>();

  @BeforeEach
  void forget() {
    EVENTS.clear();
  }

  /** A server of the application, which starts instances whenever it runs. */
  static final class Server implements SmartLifecycle {
    private final Engine engine;
    private final WorkflowClient client;
    private boolean running;

    Server(Engine engine, WorkflowClient client) {
      this.engine = engine;
      this.client = client;
    }

    @Override
    public void start() {
      client.start(StartRequest.of("job").externalId("early"));
      EVENTS.add("server started, instances held: " + engine.leasedInstanceCount());
      running = true;
    }

    @Override
    public void stop() {
      client.start(StartRequest.of("job").externalId("late"));
      EVENTS.add("server stopped, engine " + engine.state());
      running = false;
    }

    @Override
    public boolean isRunning() {
      return running;
    }

    @Override
    public int getPhase() {
      return SmartLifecycle.DEFAULT_PHASE - 1;
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Application {
    static final CountDownLatch HANDLED = new CountDownLatch(1);

    @Bean
    Server server(Engine engine, WorkflowClient client) {
      return new Server(engine, client);
    }

    @Bean
    WorkflowDefinition job() {
      return WorkflowDefinition.of("job")
          .start(
              "work",
              ctx -> {
                EVENTS.add("handled");
                HANDLED.countDown();
                return Next.done("done");
              })
          .build();
    }

    @Bean
    EngineCustomizer customizer(JdbcTemplate jdbc) {
      return builder ->
          EVENTS.add("orders: " + jdbc.queryForList("SELECT * FROM customer_order").size());
    }
  }

  @Test
  void theEngineStartsAfterAllOthersAndStopsBeforeThem() {
    Contexts.jdbc(Contexts.Bare.class, Application.class)
        .run(context -> Patience.await(Application.HANDLED));
    assertThat(EVENTS)
        .containsExactly(
            "orders: 0",
            "server started, instances held: 0",
            "handled",
            "server stopped, engine " + EngineState.DRAINED);
  }

  /** The engine alone would give its handlers five minutes. */
  @Test
  void theGraceOfHandlersEndsWithinThePhaseOfTheContext() {
    Duration phase = Duration.ofSeconds(30);
    assertThat(EngineLifecycle.grace(null, phase)).isEqualTo(Duration.ofSeconds(20));
    assertThat(EngineLifecycle.grace(Duration.ofMinutes(5), phase))
        .isEqualTo(Duration.ofSeconds(20));
    assertThat(EngineLifecycle.grace(Duration.ofSeconds(3), phase))
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(EngineLifecycle.grace(null, Duration.ofSeconds(4))).isEqualTo(Duration.ofSeconds(2));
  }
}
