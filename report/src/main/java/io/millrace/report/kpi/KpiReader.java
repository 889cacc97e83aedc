package io.millrace.report.kpi;

import io.millrace.report.kpi.KpiDefinition.Display;
import io.millrace.report.kpi.KpiDefinition.Naming;
import io.millrace.report.kpi.KpiDefinition.QuerySpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reader of KPI definitions from JSON: one object each, or a list of objects. Text may contain line
 * breaks.
 */
public final class KpiReader {

  /** JSON mapper that permits line breaks in text, since queries are long. */
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS).build();

  private KpiReader() {}

  /**
   * Reads the definitions of all files {@code *.json} in a folder, in the order of the file names.
   *
   * @throws ReportDefinitionException naming the file, when one cannot be used
   */
  public static List<KpiDefinition> folder(Path folder) {
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.filter(f -> f.toString().endsWith(".json")).sorted().toList();
    } catch (IOException e) {
      throw new ReportDefinitionException(
          "The folder of KPIs " + folder + " cannot be read: " + e, e);
    }
    Map<String, KpiDefinition> found = new TreeMap<>();
    List<KpiDefinition> ordered = new ArrayList<>();
    for (Path file : files) {
      for (KpiDefinition kpi : file(file)) {
        if (found.put(kpi.id(), kpi) != null) {
          throw new ReportDefinitionException(file + ": there is a KPI '" + kpi.id() + "' already");
        }
        ordered.add(kpi);
      }
    }
    return ordered;
  }

  private static List<KpiDefinition> file(Path file) {
    try {
      return text(Files.readString(file));
    } catch (IOException e) {
      throw new ReportDefinitionException(file + " cannot be read: " + e, e);
    } catch (ReportDefinitionException e) {
      throw new ReportDefinitionException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads the definitions of a JSON text.
   *
   * @throws ReportDefinitionException when it cannot be used
   */
  public static List<KpiDefinition> text(String json) {
    return objects(json).stream().map(KpiReader::kpi).toList();
  }

  /**
   * Reads the objects of a JSON text, which is one object or a list of them.
   *
   * @throws ReportDefinitionException when it is not JSON
   */
  public static List<JsonNode> objects(String json) {
    JsonNode node;
    try {
      node = JSON.readTree(json);
    } catch (JacksonException e) {
      // The token may be a password that lacks its quotes. The message leaves it out, and so leaves
      // out the cause, which quotes it too.
      String found =
          String.valueOf(e.getOriginalMessage())
              .replaceFirst("(?s)^Unrecognized token '.*'", "Unrecognized token");
      String line = e.getLocation() == null ? "" : "; line " + e.getLocation().getLineNr();
      throw new ReportDefinitionException("Invalid JSON: " + found + line);
    }
    List<JsonNode> all = new ArrayList<>();
    if (node.isArray()) {
      node.forEach(all::add);
    } else {
      all.add(node);
    }
    return all;
  }

  /**
   * Reads the definition from a JSON object.
   *
   * @throws ReportDefinitionException when it cannot be used
   */
  public static KpiDefinition kpi(JsonNode node) {
    String id = node.path("id").asString("without an id");
    DefinitionFields fields = new DefinitionFields("The KPI '" + id + "'", node);
    Aggregate aggregate = fields.choice("aggregate", Aggregate.class, Aggregate.SUM);
    String source = fields.text("datasource");
    KpiDefinition kpi =
        new KpiDefinition(
            fields.text("id"),
            new Naming(
                fields.text("name"),
                fields.text("tool", source),
                fields.text("group", "Figures"),
                fields.text("category", "")),
            new QuerySpec(
                source,
                fields.text("query"),
                fields.text("resultField", ""),
                aggregate,
                fields.choice("split", WindowSplit.class, WindowSplit.NONE),
                fields.flag("compared", true)),
            new Display(
                fields.choice("look", DisplayType.class, DisplayType.TILE),
                fields.text("unit", ""),
                fields.choice("good", GoodDirection.class, GoodDirection.NEITHER),
                fields.text("label", ""),
                fields.flag("tile", true)),
            fields.list("contents", rule -> rule("A content of the KPI '" + id + "'", rule)),
            fields.flag("active", true));
    fields.rejectUnknownFields();
    return kpi;
  }

  private static ContentRule rule(String what, JsonNode node) {
    DefinitionFields fields = new DefinitionFields(what, node);
    String name = fields.text("rule").toUpperCase(Locale.ROOT);
    RuleMessages ruleMessages = messages(what, fields.get("messages"));
    ContentRule rule =
        switch (name) {
          case "THRESHOLD" ->
              new ContentRule.Threshold(fields.number("threshold"), good(fields), ruleMessages);
          case "THRESHOLD_RANGE" ->
              new ContentRule.ThresholdRange(
                  fields.number("low"), fields.number("high"), ruleMessages);
          case "MINMAX" -> new ContentRule.MinMax(ruleMessages);
          case "TREND" ->
              new ContentRule.Trend(fields.number("tolerance", 5), good(fields), ruleMessages);
          case "COMPARISON" ->
              new ContentRule.Comparison(fields.number("tolerance", 5), good(fields), ruleMessages);
          default ->
              throw new ReportDefinitionException(
                  what
                      + " has the rule '"
                      + name
                      + "', expected THRESHOLD, THRESHOLD_RANGE, MINMAX, TREND or COMPARISON");
        };
    fields.rejectUnknownFields();
    return rule;
  }

  private static GoodDirection good(DefinitionFields fields) {
    return fields.choice("good", GoodDirection.class, GoodDirection.NEITHER);
  }

  private static RuleMessages messages(String what, JsonNode node) {
    RuleMessages ruleMessages = RuleMessages.standard();
    if (node.isMissingNode()) {
      return ruleMessages;
    }
    DefinitionFields fields = new DefinitionFields("The messages of " + what, node);
    for (Finding finding : Finding.values()) {
      String text = fields.text(finding.name().toLowerCase(Locale.ROOT), "");
      if (!text.isEmpty()) {
        ruleMessages = ruleMessages.with(finding, text);
      }
    }
    fields.rejectUnknownFields();
    return ruleMessages;
  }
}
