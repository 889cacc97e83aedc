package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.JavaCommand;
import io.millrace.fixtures.PlantedFault;
import io.millrace.fixtures.store.StoreKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a test of the store fails if the store leaves out a hook of the features. */
@Tag("mutants")
class HookMutantTest {

  /** A store without a hook, and the test that must see it. */
  record MissingHook(PlantedFault fault, StoreKind kind, HookCheck check) {
    List<String> args() {
      return List.of(check.name(), kind.name());
    }

    @Override
    public String toString() {
      return fault.name();
    }
  }

  private record Result(int exitCode, String output) {}

  static Stream<MissingHook> hooks() {
    return Stream.of(
        sql(
            HookCheck.ATTACHED,
            "attached writes are not written",
            "written += writer.write(session, rows);",
            "written = rows.size();"),
        sql(
            HookCheck.DEATH,
            "the death of an executor is not passed on",
            "death.handle(session, executorId, executor);",
            ""),
        sql(
            HookCheck.STOP,
            "the stop of an executor is not passed on",
            "stop.handle(session, executorId);",
            ""),
        sql(
            HookCheck.OWNED_IN_SQL,
            "rows of features keep no executor",
            "this.owned = List.copyOf(builder.owned);",
            "this.owned = List.of();"),
        sql(
            HookCheck.REOPENING_LOCK,
            "a retry does not lock rows of features first",
            "reopeningLock.lock(session, instanceId);",
            ""),
        sql(
            HookCheck.REOPENING,
            "a retry is not passed on",
            "reopening.reopened(session, instanceId, waits);",
            ""),
        sql(
            HookCheck.KEEPING,
            "features keep no instance from retention",
            "return keeping;",
            "return \"\";"),
        sql(
            HookCheck.DOCTOR,
            "the doctor lacks the checks of features",
            "this.checks = List.copyOf(builder.checks);",
            "this.checks = List.of();"),
        memory(
            HookCheck.ATTACHED,
            "attached writes are not written",
            "Objects.requireNonNull(writers.get(write.getClass())).write(row, write, now);",
            ""),
        memory(
            HookCheck.DEATH,
            "the death of an executor is not passed on",
            "deaths.forEach(hook -> hook.handle(executorId, executor, now));",
            ""),
        memory(
            HookCheck.STOP,
            "the stop of an executor is not passed on",
            "stops.forEach(hook -> hook.handle(executorId, reason, now));",
            ""),
        memory(
            HookCheck.OWNED_IN_MEMORY,
            "forgotten executors of rows of features are not listed",
            "owned.stream().flatMap(rows -> rows.byGroup.apply(executorGroup));",
            "Stream.of();"),
        memory(
            HookCheck.OWNED_IN_MEMORY,
            "rows of features keep no executor",
            "owned.stream().anyMatch(rows -> rows.owns.test(executorId));",
            "false;"),
        memory(
            HookCheck.REOPENING,
            "a retry is not passed on",
            "reopenings.forEach(hook -> hook.reopened(instanceId, waits, now));",
            ""),
        memory(
            HookCheck.KEEPING,
            "features keep no instance from retention",
            "kept.stream().anyMatch(keeps -> keeps.test(instanceId));",
            "false;"));
  }

  private static MissingHook sql(HookCheck check, String name, String original, String changed) {
    return new MissingHook(
        new PlantedFault(
            "in SQL " + name,
            "engine/src/main/java/io/millrace/store/sql/SqlHooks.java",
            original,
            changed),
        StoreKind.H2,
        check);
  }

  private static MissingHook memory(HookCheck check, String name, String original, String changed) {
    return new MissingHook(
        new PlantedFault(
            "in memory " + name,
            "testing/src/main/java/io/millrace/testing/MemoryHooks.java",
            original,
            changed),
        StoreKind.MEMORY,
        check);
  }

  @Test
  void theTestsPassWithAllHooks() throws Exception {
    Result result = run(List.of(), hooks().flatMap(hook -> hook.args().stream()).toList());

    assertThat(result.exitCode).as(result.output).isZero();
  }

  @ParameterizedTest
  @MethodSource("hooks")
  void aMissingHookIsSeen(MissingHook hook) throws Exception {
    Result result = run(List.of(hook.fault.compile()), hook.args());

    assertThat(result.exitCode).as(result.output).isEqualTo(HookCheck.SEEN);
  }

  private static Result run(List<Path> classes, List<String> args)
      throws IOException, InterruptedException {
    Process process =
        new JavaCommand("-XX:TieredStopAtLevel=1", "-Dorg.slf4j.simpleLogger.defaultLogLevel=off")
            .before(classes)
            .builder(HookCheck.class, args)
            .start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Result(process.waitFor(), output);
    } finally {
      process.destroyForcibly();
    }
  }
}
