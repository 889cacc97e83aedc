package io.millrace.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import tools.jackson.databind.json.JsonMapper;

/** Reports with unavailable databases; drivers may name the address in their errors. */
final class CanaryReports {

  static final List<String> NAMES = List.of("po", "h2");

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private CanaryReports() {}

  /**
   * Writes the reports into a folder.
   *
   * @param secret returns the canary of a place
   */
  static void write(Path folder, UnaryOperator<String> secret) throws IOException {
    Map<String, Object> sources = new TreeMap<>();
    for (String driver : List.of("postgresql", "h2:tcp")) {
      String name = driver.substring(0, 2);
      String url = "jdbc:" + driver + "://127.0.0.1:1/x";
      String end = driver.startsWith("h2") ? ";PASSWORD=" : "?password=";
      sources.put(
          name,
          Map.of(
              "type",
              "jdbc",
              "url",
              url + end + secret.apply("password in the address of " + name),
              "user",
              "ada",
              "password",
              secret.apply("password of " + name)));
      Map<String, Object> kpi =
          Map.of(
              "id", name,
              "name", name,
              "datasource", name,
              "query", "select 1 as n",
              "resultField", "n");
      Map<String, Object> report = Map.of("name", name, "title", name, "kpis", List.of(name));
      Files.writeString(folder.resolve("kpi-" + name + ".json"), JSON.writeValueAsString(kpi));
      Files.writeString(folder.resolve(name + ".json"), JSON.writeValueAsString(report));
    }
    Files.writeString(folder.resolve("sources.json"), JSON.writeValueAsString(sources));
  }
}
