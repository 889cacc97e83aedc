package io.millrace.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Engine;
import io.millrace.RetentionClient;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StatusReason;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.lifecycle.SettingsReader;
import io.millrace.testing.ManualEngine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/operating.md}, and its table of settings. */
class OperatingPageTest {

  private final WorkflowDefinition review =
      WorkflowDefinition.of("review")
          .start("check", ctx -> Next.moveTo("decide", "needs a person"))
          .manual("decide")
          .end("approved")
          .end("rejected")
          .build();

  @Test
  void aPersonLooksAndDecides() {
    try (ManualEngine manual = ManualEngine.with(review)) {
      Engine engine = manual.engine();
      long id = engine.client().start(StartRequest.of("review")).id();
      manual.runUntilIdle();

      // docs:why
      StatusReason why = engine.client().statusReason(id);
      String sentence = why.sentence();
      // docs:end
      assertThat(sentence)
          .isEqualTo(
              "It waits for an operator in state 'decide': needs a person. Move or retry it.");

      // docs:action
      engine.client().move(id, "decide", "approved", OperatorAction.by("anna", "looks right"));
      // docs:end

      // docs:history
      List<HistoryEntry> history = engine.client().history(id);
      HistoryEntry last = history.getLast();
      String line =
          last.move().from()
              + " -> "
              + last.move().to()
              + " by "
              + last.author().actor()
              + ": "
              + last.outcome().reason();
      // docs:end
      assertThat(line).isEqualTo("decide -> approved by anna: looks right");
      assertThat(history).extracting(HistoryEntry::seq).containsExactly(1, 2);
      assertThat(last.type()).isEqualTo(HistoryEntryType.MOVE);
      assertThatThrownBy(() -> engine.client().wake(id, OperatorAction.by("anna", "again")))
          .hasMessageContaining("is finished");
    }
  }

  @Test
  void instancesAreFoundPageByPage() {
    try (ManualEngine manual = ManualEngine.with(review)) {
      Engine engine = manual.engine();
      for (int i = 0; i < 5; i++) {
        engine.client().start(StartRequest.of("review").businessKey("case-3"));
      }
      manual.runUntilIdle();
      // docs:search
      InstanceQuery query =
          InstanceQuery.all().status(InstanceStatus.MANUAL).businessKey("case-3").limit(2);
      var page = engine.client().search(query);
      var following = engine.client().search(query.after(page.next()));
      // docs:end
      assertThat(page.items()).hasSize(2);
      assertThat(following.items()).hasSize(2).doesNotContainAnyElementsOf(page.items());
    }
  }

  @Test
  void endedInstancesAreTakenOutOfTheWay() {
    try (ManualEngine manual = ManualEngine.with(review)) {
      Engine engine = manual.engine();
      long id = engine.client().start(StartRequest.of("review")).id();
      manual.runUntilIdle();
      engine.client().cancel(id, OperatorAction.by("anna", "not needed"));
      manual.clock().advance(Duration.ofDays(31));
      // docs:retention
      RetentionClient retention = engine.retention();
      while (retention.archive(Duration.ofDays(30), 500) > 0) {
        // each call handles a batch in short transactions
      }
      while (retention.deleteArchived(Duration.ofDays(365), 500) > 0) {
        // the same for the archive
      }
      engine.sequences().deleteSlotRecords(Duration.ofDays(365), 500);
      retention.deleteExecutors(Duration.ofDays(7), 500);
      // docs:end
      assertThat(engine.client().find(id)).isEmpty();
    }
  }

  @Test
  void settingsAreReadByBothNames() {
    // docs:settings
    EngineSettings settings =
        SettingsReader.read(
            Map.of(
                "millrace.executor.group", "billing",
                "millrace.executor.thread.count", "16",
                "nflow.dispatcher.sleep.ms", "200"));
    // docs:end
    assertThat(settings.executorGroup()).isEqualTo("billing");
    assertThat(settings.dispatching().concurrency()).isEqualTo(16);
    assertThat(settings.dispatching().maxSleep()).isEqualTo(Duration.ofMillis(200));
  }

  @Test
  void theTableOfSettingsIsComplete() throws Exception {
    Map<String, String> defaults = new TreeMap<>();
    Pattern row = Pattern.compile("\\| `([a-zA-Z.]+)` \\| ([^|]+) \\| .+");
    for (String line : Files.readAllLines(DocPage.checkout().resolve("docs/operating.md"))) {
      Matcher matcher = row.matcher(line);
      if (matcher.matches()) {
        defaults.put(matcher.group(1), matcher.group(2).strip());
      }
    }
    Map<String, String> named = new TreeMap<>();
    defaults.forEach((name, value) -> named.put("millrace." + name, value));
    assertThat(SettingsReader.read(named)).isEqualTo(EngineSettings.defaults());
    assertThatThrownBy(() -> SettingsReader.read(Map.of("millrace.nothing", "1")))
        .hasMessageContaining(defaults.keySet().toString());
  }

  @Test
  void theLogLinesAreThoseOfTheCode() throws Exception {
    StringBuilder code = new StringBuilder();
    try (Stream<Path> files = Files.walk(DocPage.checkout().resolve("engine/src/main/java"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        code.append(Files.readString(file).replaceAll("\"\\s*\\+\\s*\"", ""));
      }
    }
    List<String> parts = new ArrayList<>();
    for (String line : Files.readAllLines(DocPage.checkout().resolve("docs/operating.md"))) {
      if (line.startsWith("| WARN") || line.startsWith("| ERROR")) {
        String text = line.split("\\|", -1)[1].strip().replaceFirst("(WARN|ERROR) ", "");
        for (String part : Pattern.compile("\\.\\.\\.").splitAsStream(text).toList()) {
          if (!part.isBlank()) {
            parts.add(part.strip());
          }
        }
      }
    }
    assertThat(parts).hasSizeGreaterThan(10).allSatisfy(part -> assertThat(code).contains(part));
  }
}
