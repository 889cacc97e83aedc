package io.millrace.server.api;

import io.millrace.WorkflowClient;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.WorkflowInstance;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.Param;
import io.millrace.server.security.InstancePermissions.Access;
import io.millrace.server.security.SealedValues;
import io.millrace.server.security.SecretNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The history, variables and messages of one instance. */
final class InstanceHistoryResource {

  static final Param<Integer> AFTER = Param.number("after", 0, Integer.MAX_VALUE, 0);
  static final Param<Integer> LIMIT = Param.number("limit", 1, InstanceQuery.MAX_LIMIT, 50);

  /** Number of history entries that are read before a page to learn the values before it. */
  private static final int LOOK_BACK = 2000;

  private final WorkflowClient client;
  private final InstanceAccess instances;
  private final SecretNames secretNames;

  InstanceHistoryResource(ApiContext context) {
    this.secretNames = context.secretNames();
    this.client = context.client();
    this.instances = context.instances();
  }

  /** A page with the value of {@code after} for the next one. */
  record HistoryPage(List<HistoryEntryView> items, @Nullable Integer next) {}

  /** Schema HistoryEntry. */
  record HistoryEntryView(
      int seq,
      String type,
      String from,
      String to,
      @Nullable String reason,
      @Nullable String error,
      List<VariableDiffs.ChangeView> changes,
      List<String> signals,
      @Nullable Long executorId,
      int attempt,
      @Nullable String actor,
      Instant started,
      Instant ended) {

    static HistoryEntryView of(HistoryEntry entry, List<VariableDiffs.ChangeView> changes) {
      return new HistoryEntryView(
          entry.seq(),
          entry.type().code(),
          entry.move().from(),
          entry.move().to(),
          entry.outcome().reason(),
          entry.outcome().error(),
          changes,
          entry.outcome().consumed(),
          entry.author().executorId(),
          entry.author().attempt(),
          entry.author().actor(),
          entry.span().started(),
          entry.span().ended());
    }
  }

  /** Schema Variable. */
  record VariableView(String name, @Nullable String json, boolean secret) {

    static VariableView of(String name, String json, SecretNames secretNames) {
      boolean secret = secretNames.isSecret(name) || SealedValues.isSecret(json);
      return new VariableView(name, secret ? null : secretNames.mask(json), secret);
    }
  }

  /** Schema InboxMessage. */
  record InboxMessageView(
      long id,
      String kind,
      String name,
      @Nullable String payload,
      Instant at,
      @Nullable String actor,
      @Nullable String reason,
      @Nullable Integer consumedSeq) {

    static InboxMessageView of(InboxMessage message, SecretNames secretNames) {
      String payload = message.payload();
      return new InboxMessageView(
          message.id(),
          message.kind().code(),
          message.name(),
          payload == null ? null : shown(message.name(), payload, secretNames),
          message.sent().at(),
          message.sent().actor(),
          message.sent().reason(),
          message.consumedSeq());
    }

    private static String shown(String name, String payload, SecretNames secretNames) {
      return secretNames.isSecret(name) ? SealedValues.MASK : secretNames.mask(payload);
    }
  }

  ApiResponse history(ApiRequest request) {
    WorkflowInstance instance = instances.find(request, Access.READ);
    long id = instance.id();
    int after = request.get(AFTER);
    int limit = request.get(LIMIT);
    VariableDiffs variableDiffs = before(id, after);
    List<HistoryEntry> page = client.history(id, after, limit);
    List<HistoryEntryView> items = new ArrayList<>();
    page.forEach(entry -> items.add(HistoryEntryView.of(entry, variableDiffs.next(entry))));
    boolean last =
        page.isEmpty() || (page.size() < limit && page.getLast().seq() >= instance.seq());
    return ApiResponse.json(new HistoryPage(items, last ? null : page.getLast().seq()));
  }

  /**
   * Returns the values after entry {@code after}, as far as the entries shortly before it show
   * them.
   */
  private VariableDiffs before(long id, int after) {
    VariableDiffs variableDiffs = new VariableDiffs(secretNames);
    int seq = Math.max(0, after - LOOK_BACK);
    while (seq < after) {
      List<HistoryEntry> earlier =
          client.history(id, seq, Math.min(InstanceQuery.MAX_LIMIT, after - seq));
      if (earlier.isEmpty()) {
        break;
      }
      earlier.forEach(variableDiffs::next);
      seq = earlier.getLast().seq();
    }
    return variableDiffs;
  }

  ApiResponse variables(ApiRequest request) {
    long id = instances.find(request, Access.READ).id();
    Map<String, String> sorted = new TreeMap<>(client.variables(id));
    List<VariableView> views = new ArrayList<>();
    sorted.forEach((name, json) -> views.add(VariableView.of(name, json, secretNames)));
    return ApiResponse.json(views);
  }

  ApiResponse messages(ApiRequest request) {
    long id = instances.find(request, Access.READ).id();
    return ApiResponse.json(
        client.inboxMessages(id, request.get(LIMIT)).stream()
            .map(message -> InboxMessageView.of(message, secretNames))
            .toList());
  }
}
