package io.millrace.tests.continuous;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineState;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * A node in a process of its own, which starts a job for each POST. When its executor has left, it
 * reports that, continues to answer, and ends on request. Arguments: the database's URL, and the
 * name of the node.
 */
public final class RecycledNode {

  static final String JOB = "job";
  static final int WORKFLOWS = 3;

  /** Prefix of the line that reports the port on which the process answers. */
  static final String LISTENS = "LISTENS ";

  /** Prefix of the line that reports that the executor has left. */
  static final String RETIRED = "RETIRED ";

  private final Engine engine;

  private RecycledNode(Engine engine) {
    this.engine = engine;
  }

  static WorkflowDefinition job() {
    return WorkflowDefinition.of(JOB)
        .start("one", ctx -> Next.moveTo("two", "one"))
        .state("two", ctx -> Next.moveAfter("three", Duration.ofMillis(20), "two"))
        .state("three", ctx -> Next.done("three"))
        .build();
  }

  private static ContinuousWorkflow[] workflows() {
    return IntStream.range(0, WORKFLOWS)
        .mapToObj(i ->
            ContinuousWorkflow.of(
                    "count" + i, new CountingTrigger(Integer.MAX_VALUE, Duration.ofMillis(20)))
                .handler((context, event) -> Next.done("counted")))
        .toArray(ContinuousWorkflow[]::new);
  }

  public static void main(String[] args) throws IOException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setMaximumPoolSize(8);
    Engine engine =
        Engine.builder()
            .dataSource(new HikariDataSource(config))
            .workflows(job())
            .continuous(workflows())
            .settings(
                s -> s.nodeName(args[1]).lease(Duration.ofSeconds(10), Duration.ofMillis(300)))
            .rollouts()
            .onExecutorStopped(reason -> say(RETIRED + reason))
            .start();
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http.createContext("/", new RecycledNode(engine)::answer);
    http.start();
    say(LISTENS + http.getAddress().getPort());
    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
    http.stop(0);
    engine.close();
    System.exit(0);
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String key = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    if (engine.state() != EngineState.RUNNING) {
      exchange.getResponseHeaders().add("Connection", "close");
    }
    byte[] body;
    int status = 201;
    try {
      long id = engine.client().start(StartRequest.of(JOB).externalId(key)).id();
      body = Long.toString(id).getBytes(StandardCharsets.UTF_8);
    } catch (RuntimeException e) {
      status = 500;
      body = e.toString().getBytes(StandardCharsets.UTF_8);
    }
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
