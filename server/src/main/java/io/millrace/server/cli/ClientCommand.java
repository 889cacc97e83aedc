package io.millrace.server.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The description of a command: its arguments, the request that it sends, and how it prints the
 * answer. A command that does more runs code instead. Texts have the placeholders of {@link
 * TemplateValues}.
 */
final class ClientCommand {

  private final String name;
  private final String[] description;
  private final List<String> aliases = new ArrayList<>();
  private final List<ClientCommand> subcommands = new ArrayList<>();
  private final List<CommandArgument> arguments = new ArrayList<>();
  private final List<CommandArgument> alternatives = new ArrayList<>();
  private boolean alternativeRequired;
  private final ObjectNode constants = ApiClient.JSON.createObjectNode();
  private final List<Header> headers = new ArrayList<>();
  private String method = "";
  private String path = "";
  private ToIntFunction<CommandCall> action = call -> call.show(send(call));

  private record Header(String name, String argument, String template) {}

  private ClientCommand(String name, String... description) {
    this.name = name;
    this.description = description;
  }

  static ClientCommand command(String name, String... description) {
    return new ClientCommand(name, description);
  }

  /** Returns a command that has only commands below it. */
  static ClientCommand group(String name, String description, ClientCommand... subcommands) {
    ClientCommand group = new ClientCommand(name, description);
    group.subcommands.addAll(List.of(subcommands));
    return group;
  }

  ClientCommand alias(String alias) {
    aliases.add(alias);
    return this;
  }

  ClientCommand with(CommandArgument... more) {
    return with(List.of(more));
  }

  ClientCommand with(List<CommandArgument> more) {
    arguments.addAll(more);
    return this;
  }

  /** Adds options of which at most one may be given. */
  ClientCommand atMostOneOf(CommandArgument... options) {
    alternatives.addAll(List.of(options));
    return with(options);
  }

  /** Adds options of which one must be given. */
  ClientCommand oneOf(CommandArgument... options) {
    alternativeRequired = true;
    return atMostOneOf(options);
  }

  /** Has the request go to a path; the fields of the arguments become its query. */
  ClientCommand get(String template) {
    return request("GET", template);
  }

  /** Has the request go to a path; the fields of the arguments become its body. */
  ClientCommand post(String template) {
    return request("POST", template);
  }

  ClientCommand put(String template) {
    return request("PUT", template);
  }

  ClientCommand delete(String template) {
    return request("DELETE", template);
  }

  private ClientCommand request(String by, String template) {
    method = by;
    path = template;
    return this;
  }

  /** Adds a field to the body that is always the same. */
  ClientCommand field(String field, Object value) {
    constants.set(field, ApiClient.JSON.valueToTree(value));
    return this;
  }

  /** Adds a header to the request if the argument is given, even as an empty text. */
  ClientCommand header(String header, String argument, String template) {
    headers.add(new Header(header, argument, template));
    return this;
  }

  /** Has the answer printed by these parts. */
  ClientCommand shows(AnswerPart... parts) {
    return runs(call -> call.show(send(call), parts));
  }

  /** Has a sentence printed, which is the message of {@code --json} when the answer is empty. */
  ClientCommand says(String sentence) {
    return runs(call -> call.say(sentence, send(call)));
  }

  ClientCommand runs(ToIntFunction<CommandCall> code) {
    action = code;
    return this;
  }

  /** Sends the request and returns the answer. */
  private JsonNode send(CommandCall call) {
    ObjectNode fields = call.fields().setAll(constants);
    JsonNode body = fields.has(".") ? fields.get(".") : fields;
    String to = call.path(path);
    Map<String, String> sent = new LinkedHashMap<>();
    TemplateValues values = new TemplateValues(ApiClient.JSON.missingNode(), call.given());
    for (Header header : headers) {
      if (call.has(header.argument)) {
        sent.put(header.name, values.text(header.template));
      }
    }
    return method.equals("GET") || method.equals("DELETE")
        ? call.api().send(method, CommandCall.withQuery(to, fields), null, sent)
        : call.api().send(method, to, body, sent);
  }

  boolean isNamed(String word) {
    return name.equals(word) || aliases.contains(word);
  }

  String name() {
    return name;
  }

  List<CommandArgument> arguments() {
    return arguments;
  }

  List<CommandArgument> alternatives() {
    return alternatives;
  }

  boolean requiresAlternative() {
    return alternativeRequired;
  }

  int run(CommandCall call) {
    return action.applyAsInt(call);
  }

  /** Returns the command for the parser. */
  CommandSpec spec() {
    CommandSpec spec = subcommands.isEmpty() ? CommandExecution.spec(this) : CommandSpec.create();
    spec.name(name).aliases(aliases.toArray(String[]::new));
    spec.usageMessage().description(description);
    subcommands.forEach(command -> spec.addSubcommand(command.name, command.spec()));
    return spec;
  }
}
