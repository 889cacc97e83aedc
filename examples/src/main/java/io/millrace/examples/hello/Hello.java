package io.millrace.examples.hello;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import java.time.Duration;
import org.h2.jdbcx.JdbcConnectionPool;

class Hello {
  // docs:hello
  static final WorkflowDefinition HELLO =
      WorkflowDefinition.of("hello")
          .start("ask", ctx -> Next.moveTo("listen", "asked for a name"))
          .await(
              "listen",
              "name",
              (ctx, name) -> Next.done("Hello, " + name.get().payload(String.class)))
          .build();

  public static void main(String[] args) {
    var database = JdbcConnectionPool.create("jdbc:h2:mem:hello;DB_CLOSE_DELAY=-1", "", "");
    try (var engine = Engine.builder().dataSource(database).workflows(HELLO).start()) {
      var client = engine.client();
      long id = client.start(StartRequest.of("hello")).id();
      client.signal(id, "name", "World!");
      client.await(id, Duration.ofSeconds(10));
      client.history(id).forEach(entry -> System.out.println(entry.outcome().reason()));
    }
  }
  // docs:end
}
