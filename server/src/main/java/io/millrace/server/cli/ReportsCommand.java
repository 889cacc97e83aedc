package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;
import static io.millrace.server.cli.CommandOutput.time;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code millrace reports}. */
@Command(
    name = "reports",
    description = "The reports that workflows have made.",
    subcommands = {ReportsCommand.ListAll.class, ReportsCommand.Download.class})
final class ReportsCommand {

  private ReportsCommand() {}

  @Command(
      name = "list",
      description = "Lists the newest reports of every workflow that makes some.")
  static final class ListAll extends ApiCommand {

    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode reports = api.get("/reports");
      if (output.json()) {
        output.json(reports);
        return ExitCodes.OK;
      }
      List<List<String>> rows = new ArrayList<>();
      for (JsonNode r : reports) {
        if (r.path("files").isEmpty()) {
          rows.add(row(r, r));
        }
        r.path("files").forEach(file -> rows.add(row(r, file)));
      }
      output.table(List.of("ID", "WORKFLOW", "STATUS", "CREATED", "SIZE", "REPORT"), rows);
      return ExitCodes.OK;
    }

    private static List<String> row(JsonNode workflow, JsonNode file) {
      return List.of(
          text(workflow, "executionId"),
          text(workflow, "sequenceId"),
          text(workflow, "status"),
          time(file, "created"),
          file.path("size").isNumber() ? (file.path("size").asLong() + 1023) / 1024 + " KiB" : "-",
          text(file, "report"));
    }
  }

  @Command(name = "download", description = "Saves the PDF that an execution has made.")
  static final class Download extends ApiCommand {

    private static final OpenOption[] REPLACE = {};
    private static final OpenOption[] NEW = {
      StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE
    };

    @Parameters(paramLabel = "ID", description = "The execution; see 'millrace reports list'.")
    long id;

    @Option(
        names = "--report",
        paramLabel = "NAME",
        description = "Which, when the execution has made several. Default: the last.")
    @Nullable String report;

    @Option(
        names = "--to",
        paramLabel = "FILE",
        description = "Default: report-ID.pdf, which must not be there yet.")
    @Nullable Path file;

    @Override
    int run(ApiClient api, CommandOutput output) {
      String query = report == null ? "" : "?report=" + ApiPaths.segment(report);
      byte[] pdf = api.document("/reports/" + id + "/pdf" + query);
      Path target = file == null ? Path.of("report-" + id + ".pdf") : file;
      try {
        Files.write(target, pdf, file == null ? NEW : REPLACE);
      } catch (FileAlreadyExistsException e) {
        throw new CliException(
            ExitCodes.USAGE, target + " is there already. Name the file with --to to replace it.");
      } catch (IOException e) {
        throw new CliException(ExitCodes.FAILED, target + " cannot be written: " + e);
      }
      output.printConfirmation("Saved " + pdf.length + " bytes as " + target + ".");
      return ExitCodes.OK;
    }
  }
}
