package io.millrace.store;

import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.Page;
import io.millrace.instance.WorkflowInstance;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Queries, for people and programs. */
public interface QueryStore {

  /** Number of bytes of texts at which a page ends. */
  long PAGE_BYTES = 8 << 20;

  Optional<WorkflowInstance> find(long instanceId);

  /** Returns the instance with this external id. */
  Optional<WorkflowInstance> findByExternalId(String type, String executorGroup, String externalId);

  /**
   * Returns the start's input as JSON text; empty if there was none or the instance does not exist.
   */
  Optional<String> input(long instanceId);

  /** Returns the variables as JSON texts by name. */
  Map<String, String> variables(long instanceId);

  /**
   * Returns one variable of all children that have it, in the order of their start.
   *
   * @throws InvalidRequestException if the values have more than {@code maxBytes} together
   */
  List<ChildVariable> childVariables(long parentId, String name, long maxBytes);

  /**
   * A variable of a child, with the child's definition, which says whether it is secret.
   *
   * @param json the value as stored, sealed if it is secret
   */
  record ChildVariable(String type, int version, String json) {}

  /** Returns the exception for values of children that are too large. */
  static InvalidRequestException tooLarge(long parentId, String name, long maxBytes) {
    return new InvalidRequestException(
        "The values of variable '"
            + name
            + "' of the children of instance "
            + parentId
            + " have more than "
            + maxBytes
            + " bytes together, the most that a handler can be given. Have the children store small"
            + " results, or results elsewhere and references to them.");
  }

  /**
   * Returns history entries with a greater {@code seq}, oldest first, at most {@code limit}, and
   * fewer once their texts have {@link #PAGE_BYTES}.
   */
  List<HistoryEntry> history(long instanceId, int afterSeq, int limit);

  /**
   * Returns the last messages sent to an instance, consumed ones included, newest first, at most
   * {@code limit}, and fewer once their payloads have {@link #PAGE_BYTES}.
   */
  List<InboxMessage> inboxMessages(long instanceId, int limit);

  /**
   * Returns instances, newest first, or those that ended last first if the query limits the time of
   * the end. An index serves these filters: type, executor group, statuses, executor, failure,
   * keys, parent, variable, time of start and time of end. The others, state and time of the last
   * change, are applied to the instances that these leave, newest first.
   *
   * @param variableValue JSON text that the query's variable must equal; null if the query has none
   */
  Page<WorkflowInstance> search(InstanceQuery query, @Nullable String variableValue);

  /**
   * Counts matching instances up to {@code cap}; limit and cursor of the query are ignored.
   *
   * @param variableValue as in {@link #search}
   */
  int count(InstanceQuery query, @Nullable String variableValue, int cap);

  /** Returns the database's time. */
  Instant now();
}
