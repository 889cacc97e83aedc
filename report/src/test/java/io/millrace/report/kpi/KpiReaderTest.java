package io.millrace.report.kpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KpiReaderTest {

  // docs:kpi
  private static final String BUILDS =
      """
      {
        "id": "failed-builds",
        "name": "Failed builds",
        "tool": "JENKINS", "group": "Quality", "category": "BUILD",
        "datasource": "builds",
        "query": "select day, count(*) as failed from build
                  where not ok and ended >= {startTime} and ended < {endTime} group by day order by day",
        "resultField": "failed",
        "look": "bar", "good": "down",
        "contents": [
          {"rule": "THRESHOLD", "threshold": 5, "good": "down",
           "messages": {"above": "{value} failed, {difference} more than we accept."}},
          {"rule": "TREND", "good": "down"}
        ]
      }
      """;

  // docs:end

  @Test
  void readsAllFields() {
    KpiDefinition kpi = KpiReader.text(BUILDS).getFirst();
    assertThat(kpi.id()).isEqualTo("failed-builds");
    assertThat(kpi.naming())
        .isEqualTo(new KpiDefinition.Naming("Failed builds", "JENKINS", "Quality", "BUILD"));
    assertThat(kpi.querySpec().source()).isEqualTo("builds");
    assertThat(kpi.querySpec().field()).isEqualTo("failed");
    assertThat(kpi.querySpec().aggregate()).isEqualTo(Aggregate.SUM);
    assertThat(kpi.querySpec().compared()).isTrue();
    assertThat(kpi.display().look()).isEqualTo(DisplayType.BAR);
    assertThat(kpi.display().good()).isEqualTo(GoodDirection.DOWN);
    assertThat(kpi.active()).isTrue();
    assertThat(kpi.contents())
        .extracting(c -> c.evaluate(new RuleInput("x", 9.0, null, List.of())).text())
        .containsExactly("9 failed, 4 more than we accept.", "There is no data.");
  }

  @Test
  void readsEveryRule() {
    String rules =
        """
        {"id": "a", "name": "A", "datasource": "s", "query": "q", "resultField": "f",
         "contents": [{"rule": "threshold_range", "low": 1, "high": 2}, {"rule": "MINMAX"},
           {"rule": "COMPARISON", "tolerance": 10}], "active": false, "split": "auto"}
        """;
    KpiDefinition kpi = KpiReader.text("[" + rules + "]").getFirst();
    assertThat(kpi.contents())
        .containsExactly(
            new ContentRule.ThresholdRange(1, 2, RuleMessages.standard()),
            new ContentRule.MinMax(RuleMessages.standard()),
            new ContentRule.Comparison(10, GoodDirection.NEITHER, RuleMessages.standard()));
    assertThat(kpi.active()).isFalse();
    assertThat(kpi.querySpec().split()).isEqualTo(WindowSplit.AUTO);
  }

  @Test
  void saysWhatIsWrong() {
    refused("{", "Invalid JSON");
    refused("7", "must be a JSON object");
    refused("{'id': 'a'}", "'a'", "datasource", "is missing");
    refused(
        "{'id': 'a', 'name': 'A', 'datasource': 's', 'query': 'q', 'resultFeld': 'f', 'aggregate': 'count'}",
        "unknown fields [resultFeld]",
        "resultField");
    refused("{'id': 'a', 'name': 'A', 'datasource': 's', 'query': 'q'}", "resultField", "count");
    refused(
        "{'id': 'a', 'name': 'A', 'datasource': 's', 'query': 'q', 'resultField': 'f', 'look': 'donut'}",
        "'look'",
        "donut",
        "ranking");
    refused(
        "{'id': 'a', 'name': 'A', 'datasource': 's', 'query': 'q', 'resultField': 'f',"
            + " 'contents': [{'rule': 'GUESS'}]}",
        "GUESS",
        "THRESHOLD_RANGE");
    refused(
        "{'id': 'a', 'name': 'A', 'datasource': 's', 'query': 'q', 'resultField': 'f',"
            + " 'contents': [{'rule': 'THRESHOLD', 'threshold': '5'}]}",
        "'threshold'",
        "a number");
    refused(
        "{'id': '../a', 'name': 'A', 'datasource': 's', 'query': 'q', 'resultField': 'f'}",
        "'../a' is no id");
  }

  private static void refused(String json, String... words) {
    assertThatThrownBy(() -> KpiReader.text(json.replace('\'', '"')))
        .isInstanceOf(ReportDefinitionException.class)
        .message()
        .contains(words);
  }

  @Test
  void readsAFolderAndNamesTheFileThatIsWrong(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("b.json"), BUILDS.replace("failed-builds", "second"));
    Files.writeString(folder.resolve("a.json"), BUILDS);
    Files.writeString(folder.resolve("notes.txt"), "not read");
    assertThat(KpiReader.folder(folder))
        .extracting(KpiDefinition::id)
        .containsExactly("failed-builds", "second");
    Files.writeString(folder.resolve("c.json"), BUILDS);
    assertThatThrownBy(() -> KpiReader.folder(folder))
        .hasMessageContaining("c.json")
        .hasMessageContaining("'failed-builds' already");
    Files.writeString(folder.resolve("c.json"), "{]");
    assertThatThrownBy(() -> KpiReader.folder(folder)).hasMessageContaining("c.json");
    assertThatThrownBy(() -> KpiReader.folder(folder.resolve("missing")))
        .hasMessageContaining("missing");
  }
}
