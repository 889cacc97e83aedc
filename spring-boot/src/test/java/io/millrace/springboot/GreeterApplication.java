package io.millrace.springboot;

import io.millrace.WorkflowClient;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The application of the page about Spring Boot. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({GreeterApplication.Orders.class, GreeterApplication.Billing.class})
class GreeterApplication {

  // docs:definition
  @Bean
  WorkflowDefinition greeting(@Value("${greeting:hello}") String word) {
    return WorkflowDefinition.of("greeting")
        .start("greet", ctx -> Next.done(word + " " + ctx.input(String.class)))
        .build();
  }

  // docs:end

  // docs:handler
  @Bean
  WorkflowDefinition order(Billing billing) {
    return WorkflowDefinition.of("order")
        .start("accept", ctx -> Next.moveTo("charge", "accepted"))
        .await("charge", "paid", (ctx, paid) -> billing.charge(ctx.input(String.class)))
        .build();
  }

  @Service
  static class Billing {
    private final JdbcTemplate jdbc;
    private final int cents;

    Billing(JdbcTemplate jdbc, @Value("${price:4200}") int cents) {
      this.jdbc = jdbc;
      this.cents = cents;
    }

    @Transactional
    public Next charge(String number) {
      jdbc.update("UPDATE customer_order SET charged = ? WHERE number = ?", cents, number);
      return Next.done(number + " is charged");
    }
  }

  // docs:end

  // docs:orders
  @Service
  static class Orders {
    private final JdbcTemplate jdbc;
    private final WorkflowClient client;

    Orders(JdbcTemplate jdbc, WorkflowClient client) {
      this.jdbc = jdbc;
      this.client = client;
    }

    @Transactional
    public long place(String number) {
      jdbc.update("INSERT INTO customer_order (number) VALUES (?)", number);
      return client.start(StartRequest.of("order", number).externalId(number)).id();
    }

    // docs:end

    @Transactional
    public void placeInVain(String number) {
      place(number);
      throw new IllegalArgumentException("There is no order " + number);
    }

    @Transactional
    public void cancelInVain(long id) {
      client.cancel(id, OperatorAction.by("shop", "not wanted"));
      throw new IllegalArgumentException("It is wanted after all");
    }
  }
}
