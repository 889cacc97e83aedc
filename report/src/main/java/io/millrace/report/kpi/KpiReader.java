package io.millrace.report.kpi;

import io.millrace.report.kpi.KpiDefinition.Ask;
import io.millrace.report.kpi.KpiDefinition.Display;
import io.millrace.report.kpi.KpiDefinition.Naming;
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
 * Reads KPI definitions from JSON: an object for each, or a list of objects. Text may go over
 * several lines.
 */
public final class KpiReader {

  /** Queries are long, so text may go over several lines. */
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS).build();

  private KpiReader() {}

  /**
   * The definitions of all files {@code *.json} in a folder, in the order of the file names.
   *
   * @throws DefinitionFault naming the file, when one cannot be used
   */
  public static List<KpiDefinition> folder(Path folder) {
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.filter(f -> f.toString().endsWith(".json")).sorted().toList();
    } catch (IOException e) {
      throw new DefinitionFault("The folder of KPIs " + folder + " cannot be read: " + e, e);
    }
    Map<String, KpiDefinition> found = new TreeMap<>();
    List<KpiDefinition> ordered = new ArrayList<>();
    for (Path file : files) {
      for (KpiDefinition kpi : file(file)) {
        if (found.put(kpi.id(), kpi) != null) {
          throw new DefinitionFault(file + ": there is a KPI '" + kpi.id() + "' already");
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
      throw new DefinitionFault(file + " cannot be read: " + e, e);
    } catch (DefinitionFault e) {
      throw new DefinitionFault(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * The definitions of a JSON text.
   *
   * @throws DefinitionFault when it cannot be used
   */
  public static List<KpiDefinition> text(String json) {
    return objects(json).stream().map(KpiReader::kpi).toList();
  }

  /**
   * The objects of a JSON text, which is one or a list of them.
   *
   * @throws DefinitionFault when it is no JSON
   */
  public static List<JsonNode> objects(String json) {
    JsonNode node;
    try {
      node = JSON.readTree(json);
    } catch (JacksonException e) {
      // Without the token, which may be a password that lacks its quotes, nor the cause, which
      // names it too.
      String found =
          String.valueOf(e.getOriginalMessage())
              .replaceFirst("(?s)^Unrecognized token '.*'", "Unrecognized token");
      String line = e.getLocation() == null ? "" : "; line " + e.getLocation().getLineNr();
      throw new DefinitionFault("This is no JSON: " + found + line);
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
   * The definition of a JSON object.
   *
   * @throws DefinitionFault when it cannot be used
   */
  public static KpiDefinition kpi(JsonNode node) {
    String id = node.path("id").asString("without an id");
    Fields fields = new Fields("The KPI '" + id + "'", node);
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
            new Ask(
                source,
                fields.text("query"),
                fields.text("resultField", ""),
                aggregate,
                fields.choice("split", Split.class, Split.NONE),
                fields.flag("compared", true)),
            new Display(
                fields.choice("look", Look.class, Look.TILE),
                fields.text("unit", ""),
                fields.choice("good", Good.class, Good.NEITHER),
                fields.text("label", ""),
                fields.flag("tile", true)),
            fields.list("contents", rule -> rule("A content of the KPI '" + id + "'", rule)),
            fields.flag("active", true));
    fields.nothingElse();
    return kpi;
  }

  private static ContentRule rule(String what, JsonNode node) {
    Fields fields = new Fields(what, node);
    String name = fields.text("rule").toUpperCase(Locale.ROOT);
    Messages messages = messages(what, fields.get("messages"));
    ContentRule rule =
        switch (name) {
          case "THRESHOLD" ->
              new ContentRule.Threshold(fields.number("threshold"), good(fields), messages);
          case "THRESHOLD_RANGE" ->
              new ContentRule.ThresholdRange(fields.number("low"), fields.number("high"), messages);
          case "MINMAX" -> new ContentRule.MinMax(messages);
          case "TREND" ->
              new ContentRule.Trend(fields.number("tolerance", 5), good(fields), messages);
          case "COMPARISON" ->
              new ContentRule.Comparison(fields.number("tolerance", 5), good(fields), messages);
          default ->
              throw new DefinitionFault(
                  what
                      + " has the rule '"
                      + name
                      + "', expected THRESHOLD, THRESHOLD_RANGE, MINMAX, TREND or COMPARISON");
        };
    fields.nothingElse();
    return rule;
  }

  private static Good good(Fields fields) {
    return fields.choice("good", Good.class, Good.NEITHER);
  }

  private static Messages messages(String what, JsonNode node) {
    Messages messages = Messages.standard();
    if (node.isMissingNode()) {
      return messages;
    }
    Fields fields = new Fields("The messages of " + what, node);
    for (Finding finding : Finding.values()) {
      String text = fields.text(finding.name().toLowerCase(Locale.ROOT), "");
      if (!text.isEmpty()) {
        messages = messages.with(finding, text);
      }
    }
    fields.nothingElse();
    return messages;
  }
}
