package io.millrace.report;

import io.millrace.report.kpi.DefinitionFields;
import io.millrace.report.kpi.ReportDefinitionException;
import io.millrace.report.source.DriverDataSource;
import io.millrace.report.source.Elasticsearch;
import io.millrace.report.source.GitSource;
import io.millrace.report.source.HttpEndpoint;
import io.millrace.report.source.Neo4j;
import io.millrace.report.source.SourceException;
import io.millrace.report.store.ElasticsearchResultStore;
import io.millrace.report.store.Neo4jResultStore;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Reader of sources of figures from a JSON object that has them by name. A text may contain {@code
 * ${NAME}} for an environment variable, so that passwords are not in the file.
 */
final class SourceReader {

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");
  private static final String INDEX = "millrace-report-results";

  private final Map<String, String> variables;
  private final Path folder;
  private final ZoneId zone;

  /**
   * Creates a reader.
   *
   * @param folder the folder that relative paths start from
   * @param zone decides which day a commit belongs to
   */
  SourceReader(Map<String, String> variables, Path folder, ZoneId zone) {
    this.variables = variables;
    this.folder = folder;
    this.zone = zone;
  }

  /**
   * Adds all sources to the builder, and those that can keep results also as outputs.
   *
   * @param faults receives the name and the fault of each source that cannot be used
   * @throws ReportDefinitionException when none of them can be used
   */
  void read(JsonNode node, ReportComponentBuilder builder, BiConsumer<String, String> faults) {
    if (!node.isObject()) {
      throw new ReportDefinitionException(
          "The sources are no JSON object; expected one that has them by name");
    }
    for (Map.Entry<String, JsonNode> one : node.properties()) {
      String what = "The source '" + one.getKey() + "'";
      try {
        DefinitionFields fields = new DefinitionFields(what, one.getValue());
        add(one.getKey(), fields, builder);
        fields.rejectUnknownFields();
      } catch (SourceException | IllegalArgumentException e) {
        faults.accept(one.getKey(), what + ": " + e.getMessage());
      } catch (ReportDefinitionException e) {
        faults.accept(one.getKey(), String.valueOf(e.getMessage()));
      }
    }
  }

  private void add(String name, DefinitionFields fields, ReportComponentBuilder builder) {
    switch (fields.choice("type", Type.class)) {
      case JDBC ->
          builder.source(
              name,
              new DriverDataSource(
                  filled(fields.text("url")),
                  filled(fields.text("user", "")),
                  filled(fields.text("password", ""))));
      case GIT -> builder.source(name, new GitSource(repositories(fields), zone));
      case NEO4J -> {
        Neo4j server = new Neo4j(server(fields), fields.text("database", "neo4j"));
        builder.source(name, server).output(name, new Neo4jResultStore(server));
      }
      case ELASTICSEARCH -> {
        Elasticsearch server = new Elasticsearch(server(fields));
        String index = fields.text("index", INDEX);
        builder.source(name, server).output(name, new ElasticsearchResultStore(server, index));
      }
    }
  }

  private enum Type {
    JDBC,
    GIT,
    NEO4J,
    ELASTICSEARCH
  }

  private Map<String, Path> repositories(DefinitionFields fields) {
    Map<String, Path> found = new LinkedHashMap<>();
    JsonNode several = fields.get("repositories");
    if (several.isMissingNode()) {
      found.put("repository", path(fields.text("repository")));
      return found;
    }
    DefinitionFields names = new DefinitionFields("The field 'repositories'", several);
    several.propertyNames().forEach(name -> found.put(name, path(names.text(name))));
    return found;
  }

  private Path path(String text) {
    return folder.resolve(filled(text));
  }

  private HttpEndpoint server(DefinitionFields fields) {
    HttpEndpoint server = HttpEndpoint.at(filled(fields.text("url")));
    String key = filled(fields.text("apiKey", ""));
    String user = filled(fields.text("user", ""));
    String password = filled(fields.text("password", ""));
    if (!key.isEmpty()) {
      return server.apiKey(key);
    }
    return user.isEmpty() ? server : server.user(user, password);
  }

  private String filled(String text) {
    Matcher matcher = VARIABLE.matcher(text);
    return matcher.replaceAll(found -> {
      String value = variables.get(found.group(1));
      if (value == null) {
        throw new SourceException(
            "the variable " + found.group(1) + " is not set in the environment. Set it.");
      }
      return Matcher.quoteReplacement(value);
    });
  }
}
