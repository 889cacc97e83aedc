package io.millrace.definition;

import io.millrace.codec.CodecException;
import io.millrace.codec.PlainJson;
import io.millrace.definition.DefinitionDocument.EntryConditionEntry;
import io.millrace.definition.DefinitionDocument.StateEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes definition documents as JSON and reads them back. The codec of an engine has no part in
 * it, so that engines with different codecs read each other's definitions.
 */
final class DefinitionText {

  private DefinitionText() {}

  static String write(DefinitionDocument document) {
    SecretFields secrets = document.secrets();
    List<InputField> input = document.input();
    return PlainJson.write(
        object(
            "type",
            document.type(),
            "version",
            document.version(),
            "description",
            document.description(),
            "states",
            document.states().stream().map(DefinitionText::state).toList(),
            "transitions",
            document.transitions().stream()
                .map(t -> object("from", t.from(), "to", t.to(), "failure", t.failure()))
                .toList(),
            "secrets",
            secrets == null
                ? null
                : object("input", secrets.input(), "variables", secrets.variables()),
            "input",
            input == null ? null : input.stream().map(DefinitionText::field).toList()));
  }

  private static Object state(StateEntry state) {
    EntryConditionEntry entrance = state.entrance();
    return object(
        "name",
        state.name(),
        "type",
        state.type(),
        "maxAttempts",
        state.maxAttempts(),
        "firstRetryDelay",
        state.firstRetryDelay(),
        "timeout",
        state.timeout(),
        "entrance",
        entrance == null
            ? null
            : object(
                "signal",
                entrance.signal(),
                "signalTimeout",
                entrance.signalTimeout(),
                "channel",
                entrance.channel()));
  }

  private static Object field(InputField field) {
    return object(
        "name",
        field.name(),
        "type",
        field.type(),
        "required",
        field.required(),
        "choices",
        field.choices());
  }

  /** Returns an object of names and values in turn. */
  private static Map<String, @Nullable Object> object(@Nullable Object... members) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    for (int i = 0; i < members.length; i += 2) {
      object.put(String.valueOf(members[i]), members[i + 1]);
    }
    return object;
  }

  static DefinitionDocument read(String json) {
    if (!(PlainJson.parse(json) instanceof Map<?, ?> members)) {
      throw new CodecException("A stored definition is not a JSON object: " + json, null);
    }
    Fields fields = new Fields(members);
    return new DefinitionDocument(
        fields.text("type"),
        fields.number("version").intValue(),
        fields.textOrNull("description"),
        fields.list("states", DefinitionText::state),
        fields.list(
            "transitions",
            one -> new Transition(one.text("from"), one.text("to"), one.truth("failure"))),
        fields.object(
            "secrets", one -> new SecretFields(one.truth("input"), one.texts("variables"))),
        fields.has("input") ? fields.list("input", DefinitionText::field) : null);
  }

  private static StateEntry state(Fields fields) {
    return new StateEntry(
        fields.text("name"),
        fields.text("type"),
        fields.number("maxAttempts").intValue(),
        fields.number("firstRetryDelay").longValue(),
        fields.longOrNull("timeout"),
        fields.object(
            "entrance",
            one ->
                new EntryConditionEntry(
                    one.textOrNull("signal"),
                    one.longOrNull("signalTimeout"),
                    one.textOrNull("channel"))));
  }

  private static InputField field(Fields fields) {
    return new InputField(
        fields.text("name"),
        fields.text("type"),
        fields.truth("required"),
        fields.has("choices") ? fields.texts("choices") : null);
  }

  /** The members of an object, with defaults for those that an earlier version did not write. */
  private record Fields(Map<?, ?> members) {

    boolean has(String name) {
      return members.get(name) != null;
    }

    @Nullable String textOrNull(String name) {
      return members.get(name) instanceof String text ? text : null;
    }

    String text(String name) {
      String text = textOrNull(name);
      if (text == null) {
        throw new CodecException(
            "A stored definition has no text '" + name + "' in " + members + ".", null);
      }
      return text;
    }

    Number number(String name) {
      return members.get(name) instanceof Number number ? number : 0;
    }

    @Nullable Long longOrNull(String name) {
      return has(name) ? number(name).longValue() : null;
    }

    boolean truth(String name) {
      return Boolean.TRUE.equals(members.get(name));
    }

    List<String> texts(String name) {
      return members.get(name) instanceof List<?> list
          ? list.stream().map(String::valueOf).toList()
          : List.of();
    }

    <T> List<T> list(String name, Function<Fields, T> read) {
      return members.get(name) instanceof List<?> list
          ? list.stream().map(one -> read.apply(of(one))).toList()
          : List.of();
    }

    <T> @Nullable T object(String name, Function<Fields, T> read) {
      return has(name) ? read.apply(of(members.get(name))) : null;
    }

    private static Fields of(@Nullable Object value) {
      return new Fields(value instanceof Map<?, ?> map ? map : Map.of());
    }
  }
}
