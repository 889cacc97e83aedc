package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** A command that lists a page of names. */
abstract class NameListCommand extends ApiCommand {

  @Option(names = "--limit", paramLabel = "N", description = "Default: 50.")
  int limit = 50;

  @Option(names = "--after", paramLabel = "NAME", description = "The last name of the page before.")
  @Nullable String after;

  abstract String path();

  @Override
  final int run(ApiClient api, CommandOutput output) {
    JsonNode page =
        api.get(
            path()
                + "?limit="
                + limit
                + (after == null ? "" : "&after=" + ApiPaths.segment(after)));
    if (output.json()) {
      output.json(page);
      return ExitCodes.OK;
    }
    page.path("items").forEach(name -> output.line(name.asString()));
    if (page.path("next").isString()) {
      output.line("There are more: add --after " + text(page, "next"));
    }
    return ExitCodes.OK;
  }
}
