package io.millrace.server;

import io.millrace.EngineBuilder;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.Triggers;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import io.millrace.retry.RetryPolicy;
import io.millrace.sequence.SequenceSettings;
import io.millrace.sequence.Task;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.slf4j.LoggerFactory;

/** Workflows and tasks that write secrets wherever they can. */
final class CanaryWorkflows {

  static final String TYPE = "Canaries";

  private CanaryWorkflows() {}

  /**
   * Adds the workflows and tasks.
   *
   * @param secret returns the canary of a place
   * @param plain returns a text of a place that every role may read
   */
  static void addTo(
      EngineBuilder builder, UnaryOperator<String> secret, UnaryOperator<String> plain) {
    Task.Options options =
        new Task.Options(
            0,
            null,
            null,
            false,
            1,
            Map.of("password", secret.apply("task"), "rows", plain.apply("task")));
    builder
        .workflows(payment(), parent(), order(secret, plain))
        .continuous(
            ContinuousWorkflow.of("gate", Triggers.webhook())
                .handler((ctx, event) -> {
                  ctx.set("iban", secret.apply("variable of a continuous workflow"));
                  return Next.done("taken");
                }))
        .sequences(SequenceSettings.defaults())
        .task(Task.of("MAIL", TYPE).channel("mail"), task -> {})
        .task(
            Task.of("LOAD", TYPE).options(options),
            task -> {
              task.setResult("iban", secret.apply("result of a task"));
              task.setResult("loaded", plain.apply("result of a task"));
            });
  }

  /** Returns a workflow that exposes its marked values, and fails. */
  private static WorkflowDefinition payment() {
    return WorkflowDefinition.of("payment")
        .secret("card", "account")
        .secretInput()
        .start(
            "charge",
            ctx -> {
              String all = ctx.get("card", String.class) + " " + ctx.input(Map.class).get("pin");
              ctx.set("account", ctx.get("account", String.class));
              LoggerFactory.getLogger("com.example.Payment").warn("charging {}", all);
              ctx.progress(1, 2, "charging " + all);
              throw new IllegalStateException("The bank refuses " + all);
            })
        .retry(RetryPolicy.never())
        .build();
  }

  /** Returns a workflow that collects the sealed values of its child. */
  private static WorkflowDefinition parent() {
    return WorkflowDefinition.of("parent")
        .start(
            "spawn",
            ctx -> {
              ctx.spawn(
                  StartRequest.of("payment", ctx.input(Map.class))
                      .variable("card", ctx.input(Map.class).get("password"))
                      .variable("account", "0"));
              return Next.waitForChildren("collect", "waits");
            })
        .state(
            "collect",
            ctx -> {
              String card = ctx.childVariables("card", String.class).getFirst();
              ctx.progress(1, 1, "collected " + card);
              return Next.done("collected " + card);
            })
        .build();
  }

  private static WorkflowDefinition order(
      UnaryOperator<String> secret, UnaryOperator<String> plain) {
    return WorkflowDefinition.of("order")
        .start(
            "reserve",
            ctx -> {
              ctx.set("customerIban", secret.apply("variable before"));
              ctx.set("note", plain.apply("variable before"));
              ctx.set("customer", Map.of("iban", secret.apply("member of a variable")));
              return Next.moveTo("pay", "reserved");
            })
        .await(
            "pay",
            "paid",
            Duration.ofDays(1),
            (ctx, paid) -> {
              ctx.set("customerIban", secret.apply("variable after"));
              ctx.set("note", plain.apply("variable after"));
              ctx.reduce("customers")
                  .key("/id")
                  .reduce(List.of(Map.of("id", "7", "iban", secret.apply("reduced record"))))
                  .commit();
              return Next.waitForSignal("ship", "shipped", null, "paid");
            })
        .state("ship", ctx -> Next.done("shipped"))
        .build();
  }
}
