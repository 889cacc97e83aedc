package io.millrace.server.bulk;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter of instances, as in the HTTP interface. All given conditions must hold; null and empty
 * fields match all instances.
 *
 * @param ids ids of the instances
 * @param type types, any of which matches
 * @param status codes of statuses, any of which matches
 * @param key the whole business key or external id
 * @param keyPrefix the start of the business key or external id, ignoring case
 * @param executor id of the executor that has claimed the instance
 * @param group executor group
 * @param failure fingerprint of a failure group
 * @param value value of the variable, as JSON or as plain text
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record InstanceFilter(
    List<Long> ids,
    List<String> type,
    List<String> status,
    @Nullable String state,
    @Nullable String key,
    @Nullable String keyPrefix,
    @Nullable String businessKey,
    @Nullable String externalId,
    @Nullable Long parent,
    @Nullable Long executor,
    @Nullable String group,
    @Nullable String failure,
    @Nullable Instant createdFrom,
    @Nullable Instant createdTo,
    @Nullable Instant endedFrom,
    @Nullable Instant endedTo,
    @Nullable String variable,
    @Nullable String value) {

  public InstanceFilter {
    ids = ids == null ? List.of() : List.copyOf(ids);
    type = type == null ? List.of() : List.copyOf(type);
    status = status == null ? List.of() : List.copyOf(status);
  }

  /** Returns a filter for the given instances only. */
  public static InstanceFilter ofIds(List<Long> ids) {
    return of(ids, null);
  }

  /** Returns a filter for the instances of a failure group. */
  public static InstanceFilter ofFailure(String fingerprint) {
    return of(List.of(), fingerprint);
  }

  private static InstanceFilter of(List<Long> ids, @Nullable String failure) {
    return new InstanceFilter(
        ids, List.of(), List.of(), null, null, null, null, null, null, null, null, failure, null,
        null, null, null, null, null);
  }

  /** False if an instance has changed so that it no longer matches. */
  boolean stillMatches(WorkflowInstance instance) {
    return (status.isEmpty() || status.contains(instance.status().code()))
        && (state == null || state.equals(instance.state()))
        && (failure == null || failure.equals(instance.failure()))
        && (executor == null || executor.equals(instance.lease().executorId()));
  }

  /** Returns the query for the matching instances, without the condition {@link #ids}. */
  public InstanceQuery query() {
    InstanceQuery query = InstanceQuery.all();
    if (!status.isEmpty()) {
      InstanceStatus[] all =
          status.stream().map(InstanceStatus::ofCode).toArray(InstanceStatus[]::new);
      query = query.status(all[0], all);
    }
    if (!type.isEmpty()) {
      query = query.type(type.getFirst(), type.toArray(String[]::new));
    }
    query = state == null ? query : query.state(state);
    query = businessKey == null ? query : query.businessKey(businessKey);
    query = externalId == null ? query : query.externalId(externalId);
    query = key == null ? query : query.key(key);
    query = keyPrefix == null ? query : query.keyPrefix(keyPrefix);
    query = executor == null ? query : query.executor(executor);
    query = group == null ? query : query.executorGroup(group);
    query = failure == null ? query : query.failure(failure);
    query = parent == null ? query : query.parent(parent);
    if (createdFrom != null || createdTo != null) {
      query = query.createdBetween(createdFrom, createdTo);
    }
    if (endedFrom != null || endedTo != null) {
      query = query.endedBetween(endedFrom, endedTo);
    }
    if (variable != null && value != null) {
      query = query.variable(variable, VariableValue.of(value));
    }
    return query;
  }
}
