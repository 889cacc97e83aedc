package io.millrace.report;

import io.millrace.instance.MillraceException;
import io.millrace.report.kpi.KpiReader;
import io.millrace.report.kpi.ReportDefinitionException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The files of a folder: {@code sources.json} has the sources of figures by name, every other
 * {@code *.json} has KPIs and reports, one or a list of them. An object with the field {@code kpis}
 * is a report. A definition that cannot be used affects only the reports that use it.
 */
final class ReportFolder {

  private static final String SOURCES = "sources.json";

  private final SourceReader sources;
  private final ReportComponentBuilder builder;
  private final ReportDefinitionErrors faults;
  private final Map<String, Path> seen = new HashMap<>();

  private ReportFolder(SourceReader sources, ReportComponentBuilder builder) {
    this.sources = sources;
    this.builder = builder;
    this.faults = builder.faults;
  }

  /**
   * Adds all definitions to the builder, and the faults of those that cannot be used.
   *
   * @param folder need not exist
   * @param variables the environment variables
   */
  static void read(
      Path folder, ZoneId zone, Map<String, String> variables, ReportComponentBuilder builder) {
    if (!Files.exists(folder)) {
      return;
    }
    SourceReader sources = new SourceReader(variables, folder, zone);
    ReportFolder reading = new ReportFolder(sources, builder);
    try {
      files(folder).forEach(reading::read);
    } catch (ReportDefinitionException e) {
      builder.faults.file(String.valueOf(e.getMessage()));
    }
  }

  private void read(Path file) {
    List<JsonNode> objects;
    try {
      objects = KpiReader.objects(Files.readString(file));
    } catch (IOException e) {
      faults.file(file + " cannot be read: " + e);
      return;
    } catch (ReportDefinitionException e) {
      faults.file(file + ": " + e.getMessage());
      return;
    }
    boolean isSources = String.valueOf(file.getFileName()).equals(SOURCES);
    for (JsonNode one : objects) {
      if (isSources) {
        sources(file, one);
      } else {
        definition(file, one);
      }
    }
  }

  private void sources(Path file, JsonNode node) {
    try {
      sources.read(
          node,
          builder,
          (name, fault) -> {
            faults.source(name, file + ": " + fault);
            builder.unusableSource(name, file + ": " + fault);
          });
    } catch (ReportDefinitionException e) {
      faults.file(file + ": " + e.getMessage());
    }
  }

  private void definition(Path file, JsonNode node) {
    boolean isReport = ReportReader.isReport(node);
    String name = node.path(isReport ? "name" : "id").asString("");
    String fault = null;
    try {
      if (isReport) {
        builder.report(ReportReader.report(node));
      } else {
        builder.kpi(KpiReader.kpi(node));
      }
    } catch (MillraceException e) {
      fault = e.getMessage();
    }
    Path other = name.isEmpty() ? null : seen.put((isReport ? "report " : "KPI ") + name, file);
    if (fault == null && other != null) {
      fault =
          "there is a %s '%s' already, in %s".formatted(isReport ? "report" : "KPI", name, other);
    }
    if (fault != null) {
      add(isReport, name, file + ": " + fault);
    }
  }

  private void add(boolean isReport, String name, String fault) {
    if (name.isEmpty()) {
      faults.file(fault);
    } else if (isReport) {
      faults.report(name, fault);
    } else {
      faults.kpi(name, fault);
    }
  }

  private static List<Path> files(Path folder) {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    } catch (IOException e) {
      throw new ReportDefinitionException(
          "The folder of reports " + folder + " cannot be read: " + e, e);
    }
  }
}
