package io.millrace.sequence;

import io.millrace.codec.CodecException;
import io.millrace.codec.PlainJson;
import io.millrace.instance.InvalidRequestException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The message over the channel of the next task: JSON with these six fields. It is a hint; the
 * database decides whether the task runs.
 *
 * @param nextTaskId -1 for none
 * @param position the position of the task in the sequence, from 1; the field 'sequence' of the
 *     JSON
 */
public record TaskMessage(
    long executionId,
    String sequenceId,
    int currentTaskId,
    int nextTaskId,
    int position,
    boolean isWorkflowTaskRetry) {

  /** Value of {@link #nextTaskId} for the last task. */
  public static final int NO_TASK = -1;

  private static final int MAX_LENGTH = 10_000;

  /** Returns the message as JSON, in the order of the fields. */
  public String json() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("executionId", executionId);
    fields.put("workflowId", sequenceId);
    fields.put("currentTaskId", currentTaskId);
    fields.put("nextTaskId", nextTaskId);
    fields.put("sequence", position);
    fields.put("isWorkflowTaskRetry", isWorkflowTaskRetry);
    return PlainJson.write(fields);
  }

  /**
   * Reads a message; fields of other names are ignored.
   *
   * @throws InvalidRequestException if the text is over 10,000 characters, is not such a JSON
   *     object, or lacks a field; the message says which
   */
  public static TaskMessage parse(String json) {
    if (json.length() > MAX_LENGTH) {
      throw new InvalidRequestException(
          "The message has "
              + json.length()
              + " characters, expected at most "
              + MAX_LENGTH
              + " with the six fields of a task message.");
    }
    Map<?, ?> fields = fields(json);
    return new TaskMessage(
        whole(fields, "executionId", Long.MAX_VALUE),
        value(fields, "workflowId", String.class, "a text"),
        (int) whole(fields, "currentTaskId", Integer.MAX_VALUE),
        (int) whole(fields, "nextTaskId", Integer.MAX_VALUE),
        (int) whole(fields, "sequence", Integer.MAX_VALUE),
        value(fields, "isWorkflowTaskRetry", Boolean.class, "true or false"));
  }

  private static Map<?, ?> fields(String json) {
    try {
      Object message = PlainJson.parse(json);
      if (message instanceof Map<?, ?> fields) {
        return fields;
      }
      throw notAnObject("it is another JSON value.");
    } catch (CodecException e) {
      throw notAnObject(e.getMessage());
    }
  }

  private static InvalidRequestException notAnObject(@Nullable String why) {
    return new InvalidRequestException(
        "The message must be a JSON object with executionId, workflowId, currentTaskId, nextTaskId,"
            + " sequence and isWorkflowTaskRetry: "
            + why);
  }

  private static long whole(Map<?, ?> fields, String name, long most) {
    Object number = fields.get(name);
    if ((number instanceof Integer || number instanceof Long)
        && Math.abs(((Number) number).longValue()) <= most) {
      return ((Number) number).longValue();
    }
    throw wrong(name, number, "a whole number of at most " + most, fields);
  }

  private static <T> T value(Map<?, ?> fields, String name, Class<T> type, String expected) {
    Object value = fields.get(name);
    if (type.isInstance(value)) {
      return type.cast(value);
    }
    throw wrong(name, value, expected, fields);
  }

  private static InvalidRequestException wrong(
      String name, @Nullable Object value, String expected, Map<?, ?> fields) {
    return new InvalidRequestException(
        "The message's field '"
            + name
            + "' is "
            + (value == null ? "missing" : value + " (" + value.getClass().getSimpleName() + ")")
            + ", expected "
            + expected
            + "; it has "
            + new TreeMap<>(fields).keySet()
            + ".");
  }
}
