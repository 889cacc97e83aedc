package io.millrace.continuous;

import io.millrace.codec.CodecException;
import io.millrace.codec.TypeRef;
import io.millrace.definition.InputPartReader;
import io.millrace.definition.StateContext;
import io.millrace.instance.InvalidRequestException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The event for which an execution was started. Every state of the execution may read it. May be
 * used only by the handler's own thread.
 */
public final class TriggerEvent {

  private static final String START = "start";
  private static final String PAYLOAD = "payload";

  private final StateContext context;
  private final StartInformation start;
  private final @Nullable Map<?, ?> input;

  private TriggerEvent(StateContext context, StartInformation start, @Nullable Map<?, ?> input) {
    this.context = context;
    this.start = start;
    this.input = input;
  }

  /** Returns the event of an execution, however it was started. */
  public static TriggerEvent of(StateContext context) {
    Map<?, ?> input = fields(context);
    return input != null && input.get(START) instanceof Map<?, ?> fields && isOurs(input)
        ? new TriggerEvent(context, StartInformation.of(fields), input)
        : new TriggerEvent(
            context,
            StartInformation.invoked(context.type(), context.instanceId(), context.now()),
            null);
  }

  private static boolean isOurs(Map<?, ?> input) {
    return input.containsKey(StartInformation.PROPERTY);
  }

  /** Returns the fields of the input; null if a client passed something else or nothing. */
  private static @Nullable Map<?, ?> fields(StateContext context) {
    try {
      return context.input(Map.class);
    } catch (CodecException e) {
      return null;
    }
  }

  /** Returns the input of an execution. */
  static Map<String, Object> input(StartInformation start, Object payload) {
    Map<String, Object> input = new LinkedHashMap<>();
    String xml = start.xml();
    input.put(START, start.fields());
    input.put(PAYLOAD, payload);
    input.put(StartInformation.PROPERTY, xml);
    input.put(StartInformation.ALIAS, xml);
    return input;
  }

  /** Returns the start of the run that read the event. */
  public StartInformation start() {
    return start;
  }

  /**
   * Returns the payload from the trigger, or the input from a client.
   *
   * @throws CodecException when it does not fit {@code type}
   */
  public <T> T payload(Class<T> type) {
    return payload(TypeRef.of(type));
  }

  /**
   * Returns the payload from the trigger, or the input from a client.
   *
   * @throws CodecException when it does not fit {@code type}
   */
  public <T> T payload(TypeRef<T> type) {
    if (input == null) {
      return context.input(type);
    }
    if (context instanceof InputPartReader reader) {
      return reader.inputPart("The payload of the event", input.get(PAYLOAD), type);
    }
    throw new InvalidRequestException(
        context.getClass().getName()
            + " cannot read the payload of an event; expected the context that the engine passes to"
            + " a handler.");
  }
}
