package io.millrace.server.api;

import io.millrace.WorkflowClient;
import io.millrace.instance.Action;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.Signal;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Param;
import io.millrace.server.security.InstancePermissions.Use;
import io.millrace.server.security.SecretNames;
import io.millrace.server.security.StoredSecrets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What happened to one instance: actions, variables, messages. */
final class Histories {

  static final Param<Integer> AFTER = Param.number("after", 0, Integer.MAX_VALUE, 0);
  static final Param<Integer> LIMIT = Param.number("limit", 1, InstanceQuery.MAX_LIMIT, 50);

  /** So many actions before a page are read to learn the values before it. */
  private static final int LOOK_BACK = 2000;

  private final WorkflowClient client;
  private final InstanceAccess instances;
  private final SecretNames secretNames;

  Histories(Sources sources) {
    this.secretNames = sources.secretNames();
    this.client = sources.client();
    this.instances = sources.instances();
  }

  /** A page, with the value of {@code after} for the next one. */
  record ActionPage(List<ActionView> items, @Nullable Integer next) {}

  /** Schema Action. */
  record ActionView(
      int seq,
      String type,
      String from,
      String to,
      @Nullable String reason,
      @Nullable String error,
      List<Diffs.ChangeView> changes,
      @Nullable Long executorId,
      int attempt,
      @Nullable String actor,
      Instant started,
      Instant ended) {

    static ActionView of(Action action, List<Diffs.ChangeView> changes) {
      return new ActionView(
          action.seq(),
          action.type().code(),
          action.move().from(),
          action.move().to(),
          action.outcome().reason(),
          action.outcome().error(),
          changes,
          action.author().executorId(),
          action.author().attempt(),
          action.author().actor(),
          action.span().started(),
          action.span().ended());
    }
  }

  /** Schema Variable. */
  record VariableView(String name, @Nullable String json, boolean secret) {

    static VariableView of(String name, String json, SecretNames secretNames) {
      boolean secret = secretNames.covers(name) || StoredSecrets.isSecret(json);
      return new VariableView(name, secret ? null : secretNames.mask(json), secret);
    }
  }

  /** Schema Signal. */
  record SignalView(
      long id,
      String kind,
      String name,
      @Nullable String payload,
      Instant at,
      @Nullable String actor,
      @Nullable String reason,
      @Nullable Integer consumedSeq) {

    static SignalView of(Signal signal, SecretNames secretNames) {
      String payload = signal.payload();
      return new SignalView(
          signal.id(),
          signal.kind().code(),
          signal.name(),
          payload == null ? null : shown(signal.name(), payload, secretNames),
          signal.sent().at(),
          signal.sent().actor(),
          signal.sent().reason(),
          signal.consumedSeq());
    }

    private static String shown(String name, String payload, SecretNames secretNames) {
      return secretNames.covers(name) ? StoredSecrets.MASK : secretNames.mask(payload);
    }
  }

  Answer actions(Call call) {
    long id = instances.find(call, Use.READ).id();
    int after = call.get(AFTER);
    int limit = call.get(LIMIT);
    Diffs diffs = before(id, after);
    List<Action> page = client.history(id, after, limit);
    List<ActionView> items = new ArrayList<>();
    page.forEach(action -> items.add(ActionView.of(action, diffs.next(action))));
    return Answer.json(new ActionPage(items, page.size() < limit ? null : page.getLast().seq()));
  }

  /** The values after action {@code after}, as far as the actions shortly before it tell. */
  private Diffs before(long id, int after) {
    Diffs diffs = new Diffs(secretNames);
    int seq = Math.max(0, after - LOOK_BACK);
    while (seq < after) {
      List<Action> earlier =
          client.history(id, seq, Math.min(InstanceQuery.MAX_LIMIT, after - seq));
      if (earlier.isEmpty()) {
        break;
      }
      earlier.forEach(diffs::next);
      seq = earlier.getLast().seq();
    }
    return diffs;
  }

  Answer variables(Call call) {
    long id = instances.find(call, Use.READ).id();
    Map<String, String> sorted = new TreeMap<>(client.variables(id));
    List<VariableView> views = new ArrayList<>();
    sorted.forEach((name, json) -> views.add(VariableView.of(name, json, secretNames)));
    return Answer.json(views);
  }

  Answer signals(Call call) {
    long id = instances.find(call, Use.READ).id();
    return Answer.json(
        client.signals(id, call.get(LIMIT)).stream()
            .map(signal -> SignalView.of(signal, secretNames))
            .toList());
  }
}
