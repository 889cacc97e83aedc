package io.millrace.report;

import io.millrace.report.kpi.DefinitionFault;
import io.millrace.report.kpi.KpiReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The files of a folder: in {@code sources.json} the sources of figures by name, in every other
 * {@code *.json} KPIs and reports, one or a list of them. What has the field {@code kpis} is a
 * report.
 */
final class ReportFolder {

  private static final String SOURCES = "sources.json";

  private ReportFolder() {}

  /**
   * Gives all of it to the builder.
   *
   * @param folder need not exist
   * @param variables those of the environment
   * @throws DefinitionFault naming the file, when one cannot be used
   */
  static void read(
      Path folder, ZoneId zone, Map<String, String> variables, ReportComponentBuilder builder) {
    if (!Files.exists(folder)) {
      return;
    }
    SourceReader sources = new SourceReader(variables, folder, zone);
    for (Path file : files(folder)) {
      try {
        List<JsonNode> objects = KpiReader.objects(Files.readString(file));
        boolean isSources = String.valueOf(file.getFileName()).equals(SOURCES);
        objects.forEach(one -> {
          if (isSources) {
            sources.read(one, builder);
          } else if (ReportReader.isReport(one)) {
            builder.report(ReportReader.report(one));
          } else {
            builder.kpi(KpiReader.kpi(one));
          }
        });
      } catch (IOException e) {
        throw new DefinitionFault(file + " cannot be read: " + e, e);
      } catch (DefinitionFault e) {
        throw new DefinitionFault(file + ": " + e.getMessage(), e);
      }
    }
  }

  private static List<Path> files(Path folder) {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    } catch (IOException e) {
      throw new DefinitionFault("The folder of reports " + folder + " cannot be read: " + e, e);
    }
  }
}
