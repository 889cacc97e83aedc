package io.millrace.tests.observe;

import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.codec.SecretKeys;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.LongLease;
import io.millrace.fixtures.Patience;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.StartRequest;
import io.millrace.observe.Tracing;
import io.millrace.retry.RetryPolicy;
import io.millrace.testing.ManualEngine;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that an engine creates a span per attempt as soon as the application has set its
 * OpenTelemetry.
 */
class TracingTest {

  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String CALLER = "b7ad6b7169203331";

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final List<String> seenByHandlers = new ArrayList<>();

  private final WorkflowDefinition order =
      WorkflowDefinition.of("order")
          .start(
              "reserve",
              ctx -> {
                seenByHandlers.add(Span.current().getSpanContext().getTraceId());
                if (ctx.attempt() == 1) {
                  throw new IllegalStateException("no stock");
                }
                return Next.moveTo("ship", "reserved");
              })
          .state("ship", ctx -> Next.fail("the van is broken"))
          .retry(RetryPolicy.fixed(Duration.ofSeconds(1)).maxAttempts(3))
          .build();

  @BeforeEach
  @AfterEach
  void forget() {
    GlobalOpenTelemetry.resetForTest();
  }

  @Test
  void everyAttemptIsASpan() {
    register();
    try (ManualEngine engine = ManualEngine.with(order)) {
      long id = engine.client().start(StartRequest.of("order")).id();
      engine.advance(Duration.ofMinutes(1));

      List<SpanData> spans = exporter.getFinishedSpanItems();
      assertThat(spans)
          .extracting(SpanData::getName)
          .containsExactly("order reserve", "order reserve", "order ship");
      assertThat(spans)
          .allSatisfy(span -> {
            assertThat(span.getAttributes().get(stringKey("workflow.type"))).isEqualTo("order");
            assertThat(span.getAttributes().get(longKey("workflow.instance"))).isEqualTo(id);
            assertThat(span.getParentSpanId()).isEqualTo(SpanId.getInvalid());
          });
      assertThat(values(spans, "workflow.attempt")).containsExactly(1L, 2L, 1L);
      assertThat(values(spans, "workflow.seq")).containsExactly(1L, 2L, 3L);
      assertThat(spans)
          .extracting(span -> span.getAttributes().get(stringKey("workflow.outcome")))
          .containsExactly("error", "move", "fail");
      assertThat(spans)
          .extracting(span -> span.getStatus().getStatusCode())
          .containsExactly(StatusCode.ERROR, StatusCode.UNSET, StatusCode.ERROR);
      assertThat(spans.getFirst().getEvents()).hasSize(1);
      assertThat(spans.getLast().getStatus().getDescription()).isEqualTo("the van is broken");
    }
  }

  @Test
  void theTraceOfTheStartGoesOn() {
    register();
    try (ManualEngine engine = ManualEngine.with(order)) {
      String header = "00-" + TRACE + "-" + CALLER + "-01";
      // docs:traceparent
      StartRequest request = StartRequest.of("order").variable(Tracing.TRACEPARENT, header);
      // docs:end
      engine.client().start(request);
      engine.advance(Duration.ofMinutes(1));

      assertThat(exporter.getFinishedSpanItems())
          .hasSize(3)
          .allSatisfy(span -> {
            assertThat(span.getTraceId()).isEqualTo(TRACE);
            assertThat(span.getParentSpanId()).isEqualTo(CALLER);
          });
      assertThat(seenByHandlers).containsExactly(TRACE, TRACE);
    }
  }

  @Test
  void aVariableThatIsNoTraceIsLeftAlone() {
    register();
    try (ManualEngine engine = ManualEngine.with(order)) {
      engine.client().start(StartRequest.of("order").variable(Tracing.TRACEPARENT, "my parent"));
      engine.client().start(StartRequest.of("order").variable(Tracing.TRACEPARENT, List.of(1, 2)));
      engine.advance(Duration.ofMinutes(1));
      assertThat(exporter.getFinishedSpanItems())
          .hasSize(6)
          .allSatisfy(span -> assertThat(span.getParentSpanId()).isEqualTo(SpanId.getInvalid()));
    }
  }

  @Test
  void noSpanShowsASecret() {
    register();
    WorkflowDefinition secretive =
        WorkflowDefinition.of("pay")
            .start(
                "charge",
                ctx -> {
                  String card = ctx.get("card", String.class);
                  if (ctx.attempt() == 1) {
                    throw new IllegalStateException(
                        "refused", new IllegalArgumentException("no card " + card));
                  }
                  return Next.fail("card " + card + " is refused");
                })
            .secret("card")
            .retry(RetryPolicy.fixed(Duration.ofMillis(1)).maxAttempts(3))
            .build();
    SecretKeys keys = SecretKeys.of("k", new byte[SecretKeys.LENGTH]);
    try (TestDatabase database = TestDatabase.h2();
        Engine engine =
            Engine.builder()
                .dataSource(database.pool())
                .secretKey(keys)
                .workflows(secretive)
                .settings(LongLease::of)
                .start()) {
      long id = engine.client().start(StartRequest.of("pay").variable("card", "4711-0815")).id();
      engine.client().await(id, Patience.LIMIT);

      List<SpanData> spans = exporter.getFinishedSpanItems();
      assertThat(spans).hasSize(2);
      assertThat(spans.getLast().getStatus().getDescription()).isEqualTo("card *** is refused");
      assertThat(spans.getFirst().getEvents()).hasSize(1);
      assertThat(spans.toString()).doesNotContain("4711-0815");
    }
  }

  @Test
  void aFailureThatCannotBePrintedIsASpanToo() {
    register();
    class Broken extends IllegalStateException {
      private static final long serialVersionUID = 1L;

      @Override
      public String getMessage() {
        throw new UnsupportedOperationException("broken");
      }
    }
    WorkflowDefinition broken =
        WorkflowDefinition.of("broken")
            .start(
                "run",
                ctx -> {
                  throw new Broken();
                })
            .retry(RetryPolicy.fixed(Duration.ofSeconds(1)).maxAttempts(2))
            .build();
    try (ManualEngine engine = ManualEngine.with(broken)) {
      engine.client().start(StartRequest.of("broken"));
      engine.advance(Duration.ofMinutes(1));

      assertThat(exporter.getFinishedSpanItems())
          .hasSize(2)
          .allSatisfy(span -> assertThat(span.getStatus().getDescription()).endsWith("Broken"));
    }
  }

  /** Reading the global instance too early would set it permanently to one that does nothing. */
  @Test
  void anApplicationMaySetItsOpenTelemetryAfterTheEngineHasBegun() {
    try (ManualEngine engine = ManualEngine.with(order)) {
      engine.client().start(StartRequest.of("order"));
      engine.runUntilIdle();
      assertThat(GlobalOpenTelemetry.isSet()).isFalse();

      register();
      engine.advance(Duration.ofMinutes(1));
      assertThat(exporter.getFinishedSpanItems()).hasSize(2);
    }
  }

  private void register() {
    GlobalOpenTelemetry.set(
        OpenTelemetrySdk.builder()
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .build());
  }

  private static List<Long> values(List<SpanData> spans, String attribute) {
    return spans.stream().map(span -> span.getAttributes().get(longKey(attribute))).toList();
  }
}
