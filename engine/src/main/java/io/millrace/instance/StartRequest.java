package io.millrace.instance;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to start an instance. Immutable; the methods return changed copies. {@code input} and
 * variable values are any objects that the engine's codec can write as JSON.
 *
 * @param type the workflow definition's type
 * @param version null for the newest version
 * @param input null for none
 * @param variables first values of variables
 * @param keys names given by the caller
 * @param due time of the first run
 * @param priority 0 (last) to 9 (first)
 */
public record StartRequest(
    String type,
    @Nullable Integer version,
    @Nullable Object input,
    Map<String, Object> variables,
    Keys keys,
    Due due,
    int priority) {

  /** The variable that {@link #resume} sets. */
  public static final String RESUME = "millrace.resume";

  public static final int DEFAULT_PRIORITY = 4;
  public static final int MAX_PRIORITY = 9;

  /** The caller's names for an instance; see {@link Origin}. */
  public record Keys(@Nullable String businessKey, @Nullable String externalId) {}

  public StartRequest {
    requirePresent(type, "The type of a start");
    requirePresent(due, "The due time of a start");
    variables = Map.copyOf(variables);
    if (priority < 0 || priority > MAX_PRIORITY) {
      throw new InvalidRequestException(
          "Start of '" + type + "': priority is " + priority + ", expected 0 (last) to 9 (first).");
    }
  }

  /** Returns a request to start the newest version of {@code type} now, without input. */
  public static StartRequest of(String type) {
    return new StartRequest(
        type, null, null, Map.of(), new Keys(null, null), new Due.Now(), DEFAULT_PRIORITY);
  }

  /** Returns a request to start the newest version of {@code type} now. */
  public static StartRequest of(String type, Object input) {
    requirePresent(input, "The input of a start");
    return new StartRequest(
        type, null, input, Map.of(), new Keys(null, null), new Due.Now(), DEFAULT_PRIORITY);
  }

  public StartRequest version(int newVersion) {
    return new StartRequest(type, newVersion, input, variables, keys, due, priority);
  }

  public StartRequest variable(String name, Object value) {
    Map<String, Object> all = new LinkedHashMap<>(variables);
    all.put(
        requirePresent(name, "The name of a variable"),
        requirePresent(value, "Variable '" + name + "'"));
    return new StartRequest(type, version, input, all, keys, due, priority);
  }

  /**
   * Sets the business key of the instance, which several instances may share. At most 200
   * characters; null for none.
   */
  public StartRequest businessKey(@Nullable String key) {
    return new StartRequest(
        type, version, input, variables, new Keys(key, keys.externalId), due, priority);
  }

  /**
   * Makes the start idempotent: a second start with the same type and external id returns the first
   * one's instance, and is refused if its input or variables differ. At most 200 characters.
   */
  public StartRequest externalId(String id) {
    return new StartRequest(
        type,
        version,
        input,
        variables,
        new Keys(keys.businessKey, requirePresent(id, "The external id of a start")),
        due,
        priority);
  }

  /**
   * Sets whether the instance resumes at the checkpoints of earlier instances with its type and
   * business key, which is the default. With false it starts from scratch, and the checkpoints are
   * deleted.
   */
  public StartRequest resume(boolean wanted) {
    return variable(RESUME, wanted);
  }

  public StartRequest priority(int newPriority) {
    return new StartRequest(type, version, input, variables, keys, due, newPriority);
  }

  public StartRequest at(Instant instant) {
    return new StartRequest(
        type,
        version,
        input,
        variables,
        keys,
        new Due.At(requirePresent(instant, "The time of a start")),
        priority);
  }

  public StartRequest after(Duration delay) {
    return new StartRequest(
        type,
        version,
        input,
        variables,
        keys,
        new Due.After(requirePresent(delay, "The delay of a start")),
        priority);
  }
}
