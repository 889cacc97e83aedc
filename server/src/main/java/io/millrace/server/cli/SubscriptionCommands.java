package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;
import static io.millrace.server.cli.CommandOutput.time;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The commands below {@code millrace maintenance} on subscriptions. */
final class SubscriptionCommands {

  private SubscriptionCommands() {}

  @Command(name = "subscribers", description = "Lists the subscribers to maintenance notices.")
  static final class ListAll extends ApiCommand {

    @Option(names = "--limit", paramLabel = "N", description = "Default: 50.")
    int limit = 50;

    @Option(names = "--cursor", paramLabel = "CURSOR", description = "Of the next page.")
    @Nullable String cursor;

    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode page =
          api.get(
              "/subscriptions?limit="
                  + limit
                  + (cursor == null ? "" : "&cursor=" + ApiPaths.segment(cursor)));
      if (output.json()) {
        output.json(page);
        return ExitCodes.OK;
      }
      List<List<String>> rows = new ArrayList<>();
      for (JsonNode one : page.path("items")) {
        String address = text(one, one.path("mail").isString() ? "mail" : "webhook");
        rows.add(List.of(text(one, "id"), address, text(one, "by"), time(one, "created")));
      }
      output.table(List.of("ID", "ADDRESS", "ADDED BY", "CREATED"), rows);
      if (page.path("next").isString()) {
        output.line("There are more: add --cursor " + text(page, "next"));
      }
      return ExitCodes.OK;
    }
  }

  /** The address of a subscription; exactly one of the options. */
  static final class Address {
    @Option(names = "--mail", paramLabel = "ADDRESS", description = "A mail address.")
    @Nullable String mail;

    @Option(names = "--webhook", paramLabel = "URL", description = "Where to post it.")
    @Nullable String webhook;
  }

  @Command(
      name = "subscribe",
      description = "Has a mail address or a webhook told, without asking it first.")
  static final class Add extends ApiCommand {

    @ArgGroup(exclusive = true, multiplicity = "1")
    Address address = new Address();

    @Option(
        names = "--affected",
        paramLabel = "NAME",
        description = "Only of what is about this; may be repeated.")
    List<String> affected = List.of();

    @Override
    int run(ApiClient api, CommandOutput output) {
      ObjectNode body = ApiClient.JSON.createObjectNode();
      if (address.mail != null) {
        body.put("mail", address.mail);
      }
      if (address.webhook != null) {
        body.put("webhook", address.webhook);
      }
      affected.forEach(body.putArray("affected")::add);
      JsonNode added = api.post("/subscriptions", body);
      if (output.json()) {
        output.json(added);
      } else {
        output.line("Subscription " + text(added, "id") + ".");
      }
      return ExitCodes.OK;
    }
  }

  @Command(name = "unsubscribe", description = "Ends a subscription.")
  static final class Remove extends ApiCommand {

    @Parameters(paramLabel = "ID", description = "See 'millrace maintenance subscribers'.")
    long id;

    @Override
    int run(ApiClient api, CommandOutput output) {
      api.delete("/subscriptions/" + id);
      output.printConfirmation("Subscription " + id + " ends.");
      return ExitCodes.OK;
    }
  }
}
