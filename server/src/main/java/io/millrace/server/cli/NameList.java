package io.millrace.server.cli;

import static io.millrace.server.cli.Screen.text;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** A page of names. */
abstract class NameList extends Connection {

  @Option(names = "--limit", paramLabel = "N", description = "Default: 50.")
  int limit = 50;

  @Option(names = "--after", paramLabel = "NAME", description = "The last name of the page before.")
  @Nullable String after;

  abstract String path();

  @Override
  final int run(ApiClient api, Screen screen) {
    JsonNode page =
        api.get(
            path() + "?limit=" + limit + (after == null ? "" : "&after=" + Paths.segment(after)));
    if (screen.json()) {
      screen.json(page);
      return ExitCode.OK;
    }
    page.path("items").forEach(name -> screen.line(name.asString()));
    if (page.path("next").isString()) {
      screen.line("There are more: add --after " + text(page, "next"));
    }
    return ExitCode.OK;
  }
}
