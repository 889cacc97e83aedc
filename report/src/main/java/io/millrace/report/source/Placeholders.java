package io.millrace.report.source;

import io.millrace.schedule.DataWindow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The placeholders of a query. {@code {startTime}} and {@code {endTime}} are bound as the time type
 * that suits the source best. With a suffix they are bound as a whole number since 1970 ({@code
 * :seconds}, {@code :millis}) or as text such as {@code 2026-11-16T00:00:00Z} ({@code :iso}).
 * {@code {zone}} is the id of the zone in which days begin, as text. Placeholders become bound
 * parameters, never text of the query.
 */
final class Placeholders {

  /** Representation of a bound value. */
  enum Form {
    NATIVE,
    SECONDS,
    MILLIS,
    ISO,
    ZONE
  }

  /** One placeholder. */
  record Placeholder(boolean start, Form form) {

    Instant moment(DataWindow window) {
      return start ? window.from() : window.to();
    }

    /** Returns the value to bind; {@code of} converts a moment for {@code NATIVE}. */
    Object value(SourceQuery query, Function<Instant, Object> of) {
      Instant moment = moment(query.window());
      return switch (form) {
        case NATIVE -> of.apply(moment);
        case SECONDS -> moment.getEpochSecond();
        case MILLIS -> moment.toEpochMilli();
        case ISO -> moment.toString();
        case ZONE -> SessionZone.id(query.zone());
      };
    }

    /** Returns a name that is unique among the placeholders. */
    String name() {
      if (form == Form.ZONE) {
        return "zone";
      }
      return (start ? "startTime" : "endTime")
          + (form == Form.NATIVE ? "" : form.name().charAt(0) + lower(form.name().substring(1)));
    }

    private static String lower(String text) {
      return text.toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A query that is ready for binding.
   *
   * @param placeholders in the order in which they stand in {@code text}
   */
  record Bound(String text, List<Placeholder> placeholders) {}

  private static final Pattern PLACEHOLDER =
      Pattern.compile("\\{(startTime|endTime|zone)(?::(\\w+))?}");

  /** A query language. Text in quotes and comments stays unchanged. */
  enum QueryLanguage {
    SQL("'(?:[^']++|'')*+'|\"(?:[^\"]++|\"\")*+\"", "--[^\\n]*|/\\*.*?\\*/"),

    /** Cypher, where {@code --} is a relationship and a backslash escapes a quote. */
    CYPHER(
        "'(?:[^'\\\\]++|\\\\.)*+'|\"(?:[^\"\\\\]++|\\\\.)*+\"|`(?:[^`]++|``)*+`",
        "//[^\\n]*|/\\*.*?\\*/");

    private final Pattern parts;

    QueryLanguage(String quoted, String comment) {
      parts =
          Pattern.compile(
              "(?<quoted>" + quoted + ")|" + comment + "|" + PLACEHOLDER.pattern(), Pattern.DOTALL);
    }
  }

  private Placeholders() {}

  /**
   * Replaces each placeholder by the text that {@code marker} returns for it.
   *
   * @throws SourceException when one is within quotes, or has a form that does not exist
   */
  static Bound bind(
      QueryLanguage queryLanguage, String text, Function<Placeholder, String> marker) {
    List<Placeholder> found = new ArrayList<>();
    StringBuilder result = new StringBuilder();
    Matcher part = queryLanguage.parts.matcher(text);
    while (part.find()) {
      if (part.group(2) == null) {
        refuseQuoted(part.group("quoted"));
        part.appendReplacement(result, Matcher.quoteReplacement(part.group()));
        continue;
      }
      Placeholder one = placeholder(part.group(2), part.group(3));
      found.add(one);
      part.appendReplacement(result, Matcher.quoteReplacement(marker.apply(one)));
    }
    part.appendTail(result);
    return new Bound(result.toString(), List.copyOf(found));
  }

  /** Returns the placeholder if {@code text} is exactly one; null otherwise. */
  static @Nullable Placeholder whole(String text) {
    Matcher all = PLACEHOLDER.matcher(text);
    return all.matches() ? placeholder(all.group(1), all.group(2)) : null;
  }

  private static Placeholder placeholder(String name, @Nullable String form) {
    if (!name.equals("zone")) {
      return new Placeholder(name.equals("startTime"), form(form));
    }
    if (form != null) {
      throw new SourceException(
          "The placeholder {zone} has the form ':" + shorten(form) + "', expected none.");
    }
    return new Placeholder(true, Form.ZONE);
  }

  private static void refuseQuoted(@Nullable String quoted) {
    if (quoted != null && PLACEHOLDER.matcher(quoted).find()) {
      throw new SourceException(
          "The placeholder in "
              + shorten(quoted)
              + " stands within quotes; it is bound as a parameter, so leave the quotes out.");
    }
  }

  private static Form form(@Nullable String name) {
    if (name == null) {
      return Form.NATIVE;
    }
    return switch (name) {
      case "seconds" -> Form.SECONDS;
      case "millis" -> Form.MILLIS;
      case "iso" -> Form.ISO;
      default ->
          throw new SourceException(
              "A placeholder has the form ':"
                  + shorten(name)
                  + "', expected ':seconds', ':millis', ':iso' or none.");
    };
  }

  static String shorten(String text) {
    String line = text.strip().replaceAll("\\s+", " ");
    return line.length() <= 200 ? line : line.substring(0, 197) + "...";
  }
}
