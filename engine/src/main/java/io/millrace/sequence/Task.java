package io.millrace.sequence;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StorableText;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A small unit of work of which sequences are made. Immutable; the methods return changed copies.
 *
 * @param name unique among all tasks: a letter or digit, then at most 79 letters, digits, '_', '.'
 *     or '-'
 * @param type the sequence type, of the same form; the tasks of a sequence have one type
 * @param channel channel of its messages, at most 200 letters, digits, '_', '.' or '-'; null for
 *     none
 * @param component name of the code that runs it: a class, see {@link
 *     WorkflowTaskSubscriberHandler}, or a handler registered by code
 */
public record Task(
    String name, String type, @Nullable String channel, String component, Options options) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.\\-]{0,79}");
  private static final Pattern CHANNEL = Pattern.compile("[A-Za-z0-9_.\\-]{1,200}");
  private static final int MAX_COMPONENT = 500;

  /**
   * Options of a task. Times are in milliseconds.
   *
   * @param maxRetries attempts after the first, at most 1,000,000; null for the node's setting
   * @param firstRetryDelay the wait after the first failure, which doubles, at most 366 days; null
   *     for the node's
   * @param timeout the longest time for one attempt, at most 366 days; null for no limit
   * @param sharesChannel true if other tasks may have the same channel
   * @param dependency orders tasks in lists
   * @param parameters for all sequences that do not set their own
   */
  public record Options(
      @Nullable Integer maxRetries,
      @Nullable Long firstRetryDelay,
      @Nullable Long timeout,
      boolean sharesChannel,
      int dependency,
      Map<String, Object> parameters) {

    /** The longest delay and timeout in milliseconds: 366 days. */
    public static final long MAX_MILLIS = Duration.ofDays(366).toMillis();

    private static final int MAX_RETRIES = 1_000_000;

    /** No options. */
    public static final Options NONE = new Options(null, null, null, false, 0, Map.of());

    public Options {
      parameters = parameters == null ? Map.of() : Map.copyOf(parameters);
      require(
          maxRetries == null || (maxRetries >= 0 && maxRetries <= MAX_RETRIES),
          "maxRetries",
          maxRetries,
          "0 to " + MAX_RETRIES);
      require(
          firstRetryDelay == null || (firstRetryDelay >= 0 && firstRetryDelay <= MAX_MILLIS),
          "firstRetryDelay",
          firstRetryDelay,
          "0 to " + MAX_MILLIS + " milliseconds");
      require(
          timeout == null || (timeout > 0 && timeout <= MAX_MILLIS),
          "timeout",
          timeout,
          "1 to " + MAX_MILLIS + " milliseconds");
    }
  }

  public Task {
    name(name, "name of a task");
    name(type, "type of task '" + name + "'");
    if (channel != null) {
      require(
          CHANNEL.matcher(channel).matches(),
          "channel of task '" + name + "'",
          channel,
          "1 to 200 letters, digits, '_', '.' or '-'");
    }
    requirePresent(component, "The component of task '" + name + "'");
    require(
        !component.isBlank()
            && component.length() <= MAX_COMPONENT
            && StorableText.isStorable(component),
        "component of task '" + name + "'",
        component,
        "1 to 500 characters, not blank, " + StorableText.EXPECTED);
    requirePresent(options, "The options of task '" + name + "'");
  }

  /** Returns a task that is run by the handler registered under its own name. */
  public static Task of(String name, String type) {
    return new Task(name, type, null, name, Options.NONE);
  }

  public Task channel(@Nullable String newChannel) {
    return new Task(name, type, newChannel, component, options);
  }

  public Task component(String className) {
    return new Task(name, type, channel, className, options);
  }

  public Task component(Class<? extends TaskHandler> handler) {
    return component(handler.getName());
  }

  public Task options(Options newOptions) {
    return new Task(name, type, channel, component, newOptions);
  }

  /** Checks a text that becomes the name of a state or of a definition. */
  static void name(String text, String what) {
    requirePresent(text, "The " + what);
    require(
        NAME.matcher(text).matches(),
        what,
        text,
        "a letter or digit, then at most 79 letters, digits, '_', '.' or '-'");
  }

  static void require(boolean valid, String what, @Nullable Object value, String expected) {
    if (!valid) {
      String text = String.valueOf(value);
      throw new InvalidRequestException(
          "The "
              + what
              + " is '"
              + (text.length() > 100 ? text.substring(0, 100) + "…" : text)
              + "', expected "
              + expected
              + ".");
    }
  }
}
