package io.millrace.tests.secret;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.codec.SecretKeys;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.fixtures.LongLease;
import io.millrace.fixtures.Patience;
import io.millrace.instance.AuditQuery;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A workflow with secrets and very careless handlers, and all output of it that is visible from
 * outside.
 */
final class SecretScenario {

  static final Canary CARD = new Canary("Kn4r\"y/é+ 4111?>>");
  static final Canary PIN = new Canary("p1n\\ü & 77321~~");
  static final Canary INPUT = new Canary("inpüt <9\"7> ~~??");
  static final Canary EDITED = new Canary("ed1ted/\"+\" ö??>");
  static final List<Canary> ALL = List.of(CARD, PIN, INPUT, EDITED);

  private static final Duration LOOK = Duration.ofMillis(100);

  private final StringBuilder seen = new StringBuilder();
  private final ConcurrentLinkedQueue<EngineEvent> events = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> read = new ConcurrentLinkedQueue<>();

  static SecretKeys key() {
    return SecretKeys.of("k1", bytes(1));
  }

  static byte[] bytes(int start) {
    byte[] key = new byte[SecretKeys.LENGTH];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (start + i);
    }
    return key;
  }

  WorkflowDefinition refund() {
    return WorkflowDefinition.of("refund")
        .start(
            "work",
            ctx -> {
              read.add(ctx.get("card", String.class));
              return Next.done("refunded " + CARD.everywhere());
            })
        .secret("card")
        .build();
  }

  WorkflowDefinition payment() {
    return WorkflowDefinition.of("payment")
        .start(
            "begin",
            ctx -> {
              read.add(ctx.input(Map.class).get("note").toString());
              ctx.set("pin", Map.of("digits", List.of(PIN.value())));
              ctx.set("open", "not secret");
              ctx.spawn(StartRequest.of("refund").variable("card", ctx.get("card", String.class)));
              ctx.progress(1, 2, "paying with " + ctx.get("card", String.class));
              return Next.waitForChildren("pay", "charging " + CARD.everywhere());
            })
        .state(
            "pay",
            ctx -> {
              read.addAll(ctx.childVariables("card", String.class));
              ctx.input(Map.class);
              read.add(ctx.get("pin", Map.class).toString());
              if (ctx.attempt() == 1) {
                throw new IllegalStateException(
                    "card " + CARD.everywhere(), new IllegalArgumentException(INPUT.everywhere()));
              }
              return Next.done("is no number: " + ctx.get("card", Integer.class));
            })
        .onFailure("pay", "settle")
        .state(
            "settle",
            ctx -> {
              ctx.get("pin", Map.class);
              ctx.set("card", ctx.get("card", String.class));
              return Next.moveTo("decide", "paid with " + PIN.everywhere());
            })
        .manual("decide")
        .end("end")
        .secret("card", "pin")
        .secretInput()
        .retry(RetryPolicy.fixed(Duration.ofMillis(1)).maxAttempts(5))
        .build();
  }

  static StartRequest request(String card) {
    return StartRequest.of("payment", Map.of("note", INPUT.value()))
        .externalId("A")
        .businessKey("B")
        .variable("card", card);
  }

  /** Runs the workflow, reads everything visible, and returns it. */
  String run(EngineBuilder builder) {
    try (Engine engine =
        builder
            .secretKey(key())
            .workflows(payment(), refund())
            .settings(LongLease::of)
            .listener(events::add)
            .start()) {
      var client = engine.client();
      long id = client.start(request(CARD.value())).id();
      WorkflowInstance instance = client.await(id, Duration.ofMillis(1));
      for (long i = 0; instance.status() != InstanceStatus.MANUAL; i++) {
        if (i * LOOK.toMillis() > Patience.LIMIT.toMillis()) {
          throw new AssertionError("not manual within " + Patience.LIMIT + ": " + instance);
        }
        instance = client.await(id, LOOK);
      }
      see("again", client.start(request(CARD.value())).created());
      fail(() -> client.start(request(PIN.value())));
      client.editVariables(
          id, Map.of("card", EDITED.value()), OperatorAction.by("ann", "corrected"));
      see("clear", client.variable(id, "card", String.class).orElseThrow().equals(EDITED.value()));
      see("clear", client.input(id, Map.class).orElseThrow().containsValue(INPUT.value()));
      fail(() -> client.variable(id, "card", Integer.class));
      fail(() -> client.variable(id, "pin", String.class));
      fail(() -> client.search(InstanceQuery.all().variable("card", EDITED.value())));
      fail(() -> {
        client.editVariables(
            id, Map.of("card", new Broken(true)), OperatorAction.by("ann", "broken"));
        return "";
      });
      fail(() -> engine.admin().count(InstanceQuery.all().variable("card", "x"), 9));
      see("failures", engine.admin().failures(null, 9));
      see("audit", engine.admin().audit(AuditQuery.all()));
      see("variables", client.variables(id));
      see("history", client.history(id));
      see("signals", client.inboxMessages(id, 10));
      see("search", client.search(InstanceQuery.all()));
      see("why", client.statusReason(id));
      see("definitions", client.definitions());
      see("executors", client.executors("millrace"));
    }
    events.forEach(event -> see("event", event));
    for (EngineEvent event : events) {
      if (event instanceof EngineEvent.TransitionSaved saved
          && saved.transition().failure() != null) {
        see("failure", trace(saved.transition().failure()));
      }
    }
    return seen.toString();
  }

  /** Returns the values that the handlers and the typed reads received. */
  List<String> read() {
    return new ArrayList<>(read);
  }

  /**
   * A value that cannot be written as JSON, and whose exception contains the secret.
   *
   * @param broken true to throw
   */
  record Broken(boolean broken) {
    @JsonProperty
    String card() {
      if (broken) {
        throw new IllegalStateException(EDITED.everywhere());
      }
      return "";
    }
  }

  private void see(String what, Object value) {
    seen.append(what).append(": ").append(value).append('\n');
  }

  private void fail(Callable<?> call) {
    try {
      see("not refused", call.call());
    } catch (Exception e) {
      see("refused", trace(e));
    }
  }

  private static String trace(Throwable failure) {
    java.io.StringWriter text = new java.io.StringWriter();
    failure.printStackTrace(new java.io.PrintWriter(text));
    return text.toString();
  }
}
