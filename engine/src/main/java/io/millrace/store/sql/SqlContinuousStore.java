package io.millrace.store.sql;

import io.millrace.data.PeriodId;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StorableText;
import io.millrace.store.ContinuousRules;
import io.millrace.store.ContinuousStore;
import io.millrace.store.StoredContinuousWorkflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The continuous workflows in SQL. Each call costs the same number of statements, whatever their
 * number.
 */
final class SqlContinuousStore implements ContinuousStore {

  private static final String LOAD =
      """
      SELECT COALESCE(executor_id, 0) AS owner, COUNT(*) AS workflows FROM millrace_continuous_workflow
      WHERE executor_group = :group AND enabled = TRUE GROUP BY executor_id
      """;

  private static final String OWNED =
      "SELECT name, epoch FROM millrace_continuous_workflow WHERE executor_id = :executorId ORDER BY name";

  private static final String CHANGED =
      ContinuousRowReader.SELECT
          + "WHERE a.executor_id = :executorId AND a.attention = TRUE ORDER BY a.name";

  private static final String UNHEALTHY =
      """
      a.enabled = TRUE AND (a.executor_id IS NULL OR a.crash_loop = TRUE
        OR a.backoff_until > (SELECT :now))
      """;

  private final Jdbc jdbc;
  private final NamedRemover remover;

  SqlContinuousStore(Jdbc jdbc) {
    this.jdbc = jdbc;
    this.remover = new NamedRemover(jdbc, ContinuousRemover.CONTINUOUS);
  }

  @Override
  public void register(List<Registration> workflows) {
    ContinuousRules.check(workflows);
    if (workflows.isEmpty()) {
      return;
    }
    remover.beforeAdding(() ->
        SqlTaskStore.again(() ->
            jdbc.transaction(
                "register continuous workflows",
                StatementTimeout.forRows(workflows.size()),
                session -> {
                  ContinuousRequests.register(session, remover, workflows);
                  return workflows;
                })));
  }

  @Override
  public boolean remove(String name) {
    return ContinuousRules.isName(name)
        && jdbc.transaction(
            "remove continuous workflow '" + name + "'",
            StatementTimeout.LONG,
            session -> ContinuousRequests.remove(session, remover, name));
  }

  @Override
  public int resumeRemovals() {
    return remover.resume();
  }

  @Override
  public int trimLog(int keep, int limit) {
    int workflows = 0;
    for (boolean more = true; more; ) {
      ContinuousLogWriter.Trimmed trimmed =
          jdbc.transaction(
              "delete log entries of continuous workflows",
              StatementTimeout.LONG,
              session -> ContinuousLogWriter.trim(session, keep, limit));
      workflows = Math.max(workflows, trimmed.workflows());
      more = trimmed.more();
    }
    return workflows;
  }

  @Override
  public Optional<StoredContinuousWorkflow> find(String name) {
    return ContinuousRules.isName(name)
        ? jdbc
            .run(
                "find a continuous workflow",
                session -> ContinuousRowReader.read(session, List.of(name)))
            .stream()
            .findFirst()
        : Optional.empty();
  }

  @Override
  public List<StoredContinuousWorkflow> list(Filter filter, @Nullable String after, int limit) {
    String text = filter.text();
    if (text != null && !StorableText.isStorable(text)) {
      return List.of();
    }
    List<String> conditions = new ArrayList<>(List.of("TRUE"));
    Params params = Params.of("limit", limit);
    add("a.executor_group = :group", "group", filter.executorGroup(), conditions, params);
    add("a.enabled = :enabled", "enabled", filter.enabled(), conditions, params);
    add("a.executor_id = :executorId", "executorId", filter.executorId(), conditions, params);
    add(
        "LOWER(a.name) LIKE :text ESCAPE '!'",
        "text",
        text == null ? null : containing(text),
        conditions,
        params);
    add("a.name > :after", "after", after, conditions, params);
    if (filter.unhealthy()) {
      conditions.add(UNHEALTHY);
    }
    String sql =
        ContinuousRowReader.SELECT
            + "WHERE "
            + String.join(" AND ", conditions)
            + " ORDER BY a.name LIMIT :limit";
    return jdbc.run(
        "list continuous workflows",
        StatementTimeout.LONG,
        session -> session.query(sql, params, ContinuousRowReader::read));
  }

  private static void add(
      String condition,
      String name,
      @Nullable Object value,
      List<String> conditions,
      Params params) {
    if (value != null) {
      conditions.add(condition);
      params.set(name, value);
    }
  }

  private static String containing(String text) {
    return "%" + text.toLowerCase(Locale.ROOT).replaceAll("[!%_]", "!$0") + "%";
  }

  @Override
  public boolean setEnabled(String name, boolean enabled, OperatorAction action) {
    return ContinuousRules.isName(name)
        && jdbc.transaction(
            (enabled ? "enable" : "disable") + " continuous workflow '" + name + "'",
            session -> ContinuousRequests.setEnabled(session, name, enabled, action));
  }

  @Override
  public boolean request(
      String name,
      StoredContinuousWorkflow.OwnerRequest ownerRequest,
      @Nullable Long preferred,
      OperatorAction action) {
    return ContinuousRules.isName(name)
        && jdbc.transaction(
            "ask something of continuous workflow '" + name + "'",
            session -> ContinuousRequests.ask(session, name, ownerRequest, preferred, action));
  }

  @Override
  public boolean debug(String name, Duration limit, OperatorAction action) {
    return ContinuousRules.isName(name)
        && jdbc.transaction(
            "debug continuous workflow '" + name + "'",
            session -> ContinuousRequests.debug(session, name, limit, action));
  }

  @Override
  public Map<Long, Integer> ownedCounts(String executorGroup) {
    return jdbc.run(
        "count continuous workflows",
        session -> {
          Map<Long, Integer> load = new TreeMap<>();
          session.forEachRow(
              LOAD,
              Params.of("group", executorGroup),
              row -> load.put(row.getLong("owner"), row.getInt("workflows")));
          return load;
        });
  }

  @Override
  public List<String> unowned(String executorGroup, long executorId, int limit) {
    return jdbc.run(
        "list continuous workflows without owner",
        session -> TriggerRunWriter.unowned(session, executorGroup, executorId, limit));
  }

  @Override
  public List<StoredContinuousWorkflow> claim(long executorId, List<String> names) {
    return names.isEmpty()
        ? List.of()
        : jdbc.transaction(
            "claim continuous workflows",
            StatementTimeout.forRows(names.size()),
            session -> TriggerRunWriter.claim(session, executorId, names));
  }

  @Override
  public Map<String, Long> owned(long executorId) {
    return jdbc.run(
        "list owned continuous workflows",
        session -> {
          Map<String, Long> epochs = new TreeMap<>();
          session.forEachRow(
              OWNED,
              Params.of("executorId", executorId),
              row -> epochs.put(row.getString("name"), row.getLong("epoch")));
          return epochs;
        });
  }

  @Override
  public List<StoredContinuousWorkflow> changed(long executorId) {
    return jdbc.run(
        "list changed continuous workflows",
        session ->
            session.query(CHANGED, Params.of("executorId", executorId), ContinuousRowReader::read));
  }

  @Override
  public void acknowledge(Owner owner, int revision) {
    jdbc.run(
        "acknowledge a change of continuous workflow '" + owner.name() + "'",
        session -> {
          ContinuousRequests.acknowledge(session, owner, revision);
          return owner;
        });
  }

  @Override
  public FireResult fire(TriggerFire fire) {
    ContinuousRules.checkPosition(fire.owner().name(), fire.position());
    ContinuousRules.checkMemory(fire.owner().name(), fire.memory());
    jdbc.hooks().requireWriters(fire.execution());
    return jdbc.transaction(
        "fire the trigger of continuous workflow '" + fire.owner().name() + "'",
        session -> TriggerWriter.fire(session, fire));
  }

  @Override
  public Set<String> memory(String name) {
    return ContinuousRules.isName(name)
        ? jdbc.run(
            "read the memory of the trigger of continuous workflow '" + name + "'",
            StatementTimeout.LONG,
            session -> TriggerMemory.read(session, name))
        : Set.of();
  }

  @Override
  public boolean updatePosition(Owner owner, long generation, @Nullable String position) {
    ContinuousRules.checkPosition(owner.name(), position);
    return jdbc.run(
        "set the position of the trigger of continuous workflow '" + owner.name() + "'",
        session -> TriggerWriter.passTo(session, owner, generation, position));
  }

  @Override
  public Optional<List<PeriodId>> recordMissed(TriggerMiss miss) {
    ContinuousRules.checkPosition(miss.owner().name(), miss.position());
    return jdbc.transaction(
        "record the missed periods of continuous workflow '" + miss.owner().name() + "'",
        session -> TriggerWriter.miss(session, miss));
  }

  @Override
  public List<EndedExecution> acknowledgeEnded(long executorId, List<String> names) {
    List<EndedExecution> ended =
        jdbc.run(
            "look for ended executions of continuous workflows",
            session -> TriggerWriter.ended(session, executorId, names));
    return ended.isEmpty()
        ? ended
        : jdbc.transaction(
            "acknowledge the ends of executions of continuous workflows",
            StatementTimeout.forRows(ended.size()),
            session -> TriggerWriter.acknowledgeEnded(session, executorId, ended));
  }

  @Override
  public List<StoredContinuousWorkflow> continueAsNew(
      long executorId, List<String> names, Duration minAge, String reason) {
    return jdbc.transaction(
        "continue continuous workflows",
        StatementTimeout.LONG,
        session -> TriggerRunWriter.continueAsNew(session, executorId, names, minAge, reason));
  }

  @Override
  public int release(List<Owner> owners, String reason, @Nullable Long preferred) {
    return owners.isEmpty()
        ? 0
        : jdbc.transaction(
            "release continuous workflows",
            StatementTimeout.forRows(owners.size()),
            session -> TriggerRunWriter.release(session, owners, reason, preferred));
  }

  @Override
  public boolean recordFailure(Owner owner, TriggerFailure triggerFailure) {
    return jdbc.transaction(
        "write that the trigger of continuous workflow '" + owner.name() + "' has failed",
        session -> TriggerRunWriter.fail(session, owner, triggerFailure));
  }

  @Override
  public OfferResult offer(String name, String key, String payload, int most) {
    ContinuousRules.checkOffer(name, key, payload);
    return ContinuousRules.isName(name)
        ? jdbc.transaction(
            "offer an event to continuous workflow '" + name + "'",
            session ->
                TriggerWriter.offer(session, name, new TriggerWriter.NewOffer(key, payload, most)))
        : OfferResult.UNKNOWN;
  }

  @Override
  public List<OfferedEvent> offeredEvents(String name, int limit) {
    return ContinuousRules.isName(name)
        ? jdbc.run(
            "list the events offered to a continuous workflow",
            session -> TriggerWriter.offeredEvents(session, name, limit))
        : List.of();
  }

  @Override
  public List<LogEntry> log(String name, @Nullable Long before, int limit) {
    return ContinuousRules.isName(name)
        ? jdbc.run(
            "read the log of a continuous workflow",
            session -> ContinuousLogWriter.list(session, name, before, limit))
        : List.of();
  }
}
