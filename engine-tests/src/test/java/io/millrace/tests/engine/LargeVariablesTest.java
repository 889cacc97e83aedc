package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.Origin;
import io.millrace.instance.StartRequest;
import io.millrace.store.NewInstance;
import io.millrace.store.Store;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests of instances with more data than an executor can load. */
class LargeVariablesTest extends EngineFixture {

  private static final String MEGABYTE = "x".repeat((1 << 20) - 2);

  /** Number of megabytes that is one more than an executor can load. */
  private static final int TOO_MANY = 65;

  private Store store;

  private static StartRequest tooLarge() {
    StartRequest request = StartRequest.of("job").after(Duration.ofMinutes(1));
    for (int i = 0; i < TOO_MANY; i++) {
      request = request.variable("v" + i, MEGABYTE);
    }
    return request;
  }

  /**
   * Writes an instance past the limit of senders, as one whose variables have grown in the table.
   */
  private long storeTooLarge() {
    Map<String, String> variables = new TreeMap<>();
    for (int i = 0; i < TOO_MANY; i++) {
      variables.put("v" + i, '"' + MEGABYTE + '"');
    }
    int definitionId = store.definitions().latest("job").orElseThrow().id();
    Origin origin =
        new Origin(
            "job",
            1,
            ManualEngine.defaultSettings().executorGroup(),
            StartRequest.DEFAULT_PRIORITY,
            null,
            null,
            null);
    NewInstance instance =
        new NewInstance(origin, definitionId, "work", null, variables, Due.NOW, null);
    return store.instances().start(List.of(instance)).getFirst().id();
  }

  @Test
  void aStartWithMoreThanAnExecutorCanLoadIsRefused() {
    run(job(ctx -> Next.moveTo("end", "x")).build());
    String expected =
        "Start of 'job': its variables together have 68157440 bytes, expected at most 67108864"
            + " (64 MiB), the most that an executor can load. Keep large data elsewhere and store"
            + " references to them.";

    assertThatThrownBy(() -> client().start(tooLarge()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(expected);
    assertThatThrownBy(() -> client().startAll(List.of(StartRequest.of("job"), tooLarge())))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(expected);

    assertThat(client().search(InstanceQuery.all()).items()).isEmpty();
  }

  @Test
  void anEditWithMoreThanAnExecutorCanLoadIsRefused() {
    run(job(ctx -> Next.moveTo("end", "x")).build());
    long id = start(StartRequest.of("job").after(Duration.ofHours(1)).variable("other", "y"));
    Map<String, Object> edit = new TreeMap<>();
    for (int i = 0; i < TOO_MANY; i++) {
      edit.put("v" + i, MEGABYTE);
    }

    assertThatThrownBy(() -> client().editVariables(id, edit, BY_ANN))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Edit of instance "
                + id
                + ": its variables together would have 68157443 bytes, expected at most 67108864"
                + " (64 MiB), the most that an executor can load. Remove others in the same edit,"
                + " or keep large data elsewhere and store references to them.");

    assertThat(client().variables(id)).containsOnlyKeys("other");
    assertThat(client().history(id)).isEmpty();
  }

  @Test
  void aChildWithMoreThanAnExecutorCanLoadFailsTheStateAtOnce() {
    run(
        WorkflowDefinition.of("parent")
            .start(
                "work",
                ctx -> {
                  log.add("attempt " + ctx.attempt());
                  ctx.spawn(tooLarge());
                  return Next.done("x");
                })
            .retry(DOUBLING)
            .build(),
        job(ctx -> Next.moveTo("end", "x")).build());
    long id = start(StartRequest.of("parent"));
    engine.runUntilIdle();

    assertThat(log).containsExactly("attempt 1");
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(get(id).reason())
        .contains("Start of 'job': its variables together have 68157440 bytes");
  }

  @Test
  void anInstanceWhoseDataNobodyCanLoadWaitsForAPerson() {
    run(
        ManualEngine.defaultSettings(),
        clock -> {
          store = new MemoryStore(clock);
          return store;
        },
        job(ctx -> Next.moveTo("end", "x")).build());
    long large = storeTooLarge();
    long other = start(StartRequest.of("job").after(Duration.ofMinutes(1)));
    engine.advance(Duration.ofMinutes(2));

    assertThat(status(large)).isEqualTo(InstanceStatus.MANUAL);
    assertThat(get(large).reason()).contains("more than 64 MiB", "remove variables");
    assertThat(status(other)).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void anAnswerWithTooManyVariablesFailsTheStateAtOnce() {
    run(
        job(
                ctx -> {
                  log.add("attempt " + ctx.attempt());
                  for (int i = 0; i < TOO_MANY; i++) {
                    ctx.set("v" + i, MEGABYTE);
                  }
                  return Next.moveTo("end", "x");
                })
            .retry(DOUBLING)
            .build());
    long id = startAndRun();

    assertThat(log).containsExactly("attempt 1");
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(get(id).reason()).contains("variables would have more than 64 MiB");
    assertThat(client().variables(id)).isEmpty();
  }

  @Test
  void tooManyStepResultsFailTheStateAtOnce() {
    run(
        job(
                ctx -> {
                  log.add("attempt " + ctx.attempt());
                  for (int i = 0; i < TOO_MANY; i++) {
                    ctx.once("s" + i, String.class, () -> MEGABYTE);
                  }
                  return Next.moveTo("end", "x");
                })
            .retry(DOUBLING)
            .build());
    long id = startAndRun();

    assertThat(log).containsExactly("attempt 1");
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(get(id).reason()).contains("With step 's64' the results", "more than 64 MiB");
  }
}
