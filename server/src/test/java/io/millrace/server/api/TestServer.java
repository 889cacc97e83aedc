package io.millrace.server.api;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.lifecycle.EngineClock;
import io.millrace.retry.RetryPolicy;
import io.millrace.server.config.Http;
import io.millrace.server.http.HttpServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** The HTTP interface over a real engine on a database. */
final class TestServer implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final HikariDataSource pool;
  private final Engine engine;
  private final HttpServer server;

  private TestServer(HikariDataSource pool, Engine engine, HttpServer server) {
    this.pool = pool;
    this.engine = engine;
    this.server = server;
  }

  static TestServer start(String url, int port, String contextPath) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    HikariDataSource pool = new HikariDataSource(config);
    EngineClock clock = EngineClock.system();
    StuckBoard stuck = new StuckBoard(clock);
    Engine engine =
        Engine.builder()
            .dataSource(pool)
            .workflows(workflows())
            .settings(s -> s.executorGroup("default"))
            .listener(stuck)
            .start();
    HttpServer server =
        HttpServer.start(
            new HttpServer.Parts(http(port, contextPath), new OpenGuard(), clock),
            Api.routes(new Api.Parts(engine, "default", clock, stuck, new AtomicBoolean())));
    return new TestServer(pool, engine, server);
  }

  private static Http http(int port, String contextPath) {
    return new Http(
        "127.0.0.1",
        port,
        contextPath,
        new Http.Limits(1 << 20, 64, 1000, Duration.ofSeconds(30)),
        new Http.Tls(Http.TlsMode.NONE, null, null));
  }

  /** A workflow that waits, one that fails, one that ends at once, one that a person moves. */
  static List<WorkflowDefinition> workflows() {
    return List.of(
        WorkflowDefinition.of("order")
            .description("Reserves, waits for the payment, ships.")
            .start(
                "reserve",
                ctx -> {
                  ctx.set("stock", 41);
                  return Next.moveTo("pay", "reserved");
                })
            .await(
                "pay",
                "paid",
                Duration.ofDays(1),
                (ctx, paid) -> {
                  ctx.set("stock", 40);
                  return Next.moveTo("shipped", paid.isPresent() ? "paid" : "not paid");
                })
            .end("shipped")
            .build(),
        WorkflowDefinition.of("fails")
            .start(
                "try",
                ctx -> {
                  throw new IllegalStateException("broken <b>pipe</b>");
                })
            .end("done")
            .retry(
                RetryPolicy.exponential(Duration.ofMillis(1), Duration.ofMillis(1)).maxAttempts(1))
            .build(),
        WorkflowDefinition.of("quick").start("go", ctx -> Next.done("gone")).build(),
        WorkflowDefinition.of("asks")
            .start("ask", ctx -> Next.moveTo("person", "somebody decides"))
            .manual("person")
            .end("decided")
            .build());
  }

  WorkflowClient client() {
    return engine.client();
  }

  int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.close();
    engine.drain(PATIENCE);
    pool.close();
  }
}
