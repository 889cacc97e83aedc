package io.millrace.store.sql;

import io.millrace.data.FireId;
import io.millrace.instance.Deed;
import io.millrace.store.AlwaysOn;
import io.millrace.store.AlwaysOnRules;
import io.millrace.store.AlwaysOnStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Continuous workflows. Each call costs the same number of statements, however many they are. */
final class SqlAlwaysOn implements AlwaysOnStore {

  private static final String LOAD =
      """
      SELECT COALESCE(executor_id, 0) AS owner, COUNT(*) AS workflows FROM millrace_always_on
      WHERE executor_group = :group AND desired = 'on' GROUP BY executor_id
      """;

  private static final String OWNED =
      "SELECT name, epoch FROM millrace_always_on WHERE executor_id = :executorId ORDER BY name";

  private static final String CHANGED =
      AlwaysOnRows.SELECT + "WHERE a.attentive = :executorId ORDER BY a.name";

  private static final String TROUBLED =
      """
      a.desired = 'on' AND (a.executor_id IS NULL OR a.crash_loop = TRUE
        OR a.backoff_until > (SELECT :now))
      """;

  private final Jdbc jdbc;

  SqlAlwaysOn(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public void register(List<Registration> workflows) {
    AlwaysOnRules.check(workflows);
    if (workflows.isEmpty()) {
      return;
    }
    SqlTasks.again(() ->
        jdbc.transaction(
            "register continuous workflows",
            Limit.forRows(workflows.size()),
            session -> {
              AlwaysOnWishes.register(session, workflows);
              return workflows;
            }));
  }

  @Override
  public boolean remove(String name) {
    return AlwaysOnRules.isName(name)
        && jdbc.transaction(
            "remove continuous workflow '" + name + "'",
            session -> AlwaysOnWishes.remove(session, name));
  }

  @Override
  public Optional<AlwaysOn> find(String name) {
    return AlwaysOnRules.isName(name)
        ? jdbc
            .run("find a continuous workflow", session -> AlwaysOnRows.read(session, List.of(name)))
            .stream()
            .findFirst()
        : Optional.empty();
  }

  @Override
  public List<AlwaysOn> list(Filter filter, @Nullable String after, int limit) {
    String text = filter.text();
    if (text != null && text.indexOf('\0') >= 0) {
      return List.of();
    }
    List<String> conditions = new ArrayList<>(List.of("TRUE"));
    Params params = Params.of("limit", limit);
    add("a.executor_group = :group", "group", filter.executorGroup(), conditions, params);
    add(
        "a.desired = :desired",
        "desired",
        filter.desired() == null ? null : AlwaysOnRows.code(filter.desired()),
        conditions,
        params);
    add("a.executor_id = :executorId", "executorId", filter.executorId(), conditions, params);
    add(
        "LOWER(a.name) LIKE :text ESCAPE '!'",
        "text",
        text == null ? null : containing(text),
        conditions,
        params);
    add("a.name > :after", "after", after, conditions, params);
    if (filter.troubled()) {
      conditions.add(TROUBLED);
    }
    String sql =
        AlwaysOnRows.SELECT
            + "WHERE "
            + String.join(" AND ", conditions)
            + " ORDER BY a.name LIMIT :limit";
    return jdbc.run(
        "list continuous workflows",
        Limit.LONG,
        session -> session.query(sql, params, AlwaysOnRows::read));
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
  public boolean desire(String name, AlwaysOn.Desired desired, Deed deed) {
    return AlwaysOnRules.isName(name)
        && jdbc.transaction(
            "switch continuous workflow '" + name + "'",
            session -> AlwaysOnWishes.desire(session, name, desired, deed));
  }

  @Override
  public boolean ask(String name, AlwaysOn.Request request, @Nullable Long preferred, Deed deed) {
    return AlwaysOnRules.isName(name)
        && jdbc.transaction(
            "ask something of continuous workflow '" + name + "'",
            session -> AlwaysOnWishes.ask(session, name, request, preferred, deed));
  }

  @Override
  public boolean debug(String name, Duration limit, Deed deed) {
    return AlwaysOnRules.isName(name)
        && jdbc.transaction(
            "debug continuous workflow '" + name + "'",
            session -> AlwaysOnWishes.debug(session, name, limit, deed));
  }

  @Override
  public Map<Long, Integer> load(String executorGroup) {
    return jdbc.run(
        "count continuous workflows",
        session -> {
          Map<Long, Integer> load = new TreeMap<>();
          session.visit(
              LOAD,
              Params.of("group", executorGroup),
              row -> load.put(row.getLong("owner"), row.getInt("workflows")));
          return load;
        });
  }

  @Override
  public List<String> orphans(String executorGroup, long executorId, int limit) {
    return jdbc.run(
        "list continuous workflows without owner",
        session -> AlwaysOnRuns.orphans(session, executorGroup, executorId, limit));
  }

  @Override
  public List<AlwaysOn> claim(long executorId, List<String> names) {
    return names.isEmpty()
        ? List.of()
        : jdbc.transaction(
            "claim continuous workflows",
            Limit.forRows(names.size()),
            session -> AlwaysOnRuns.claim(session, executorId, names));
  }

  @Override
  public Map<String, Long> owned(long executorId) {
    return jdbc.run(
        "list owned continuous workflows",
        session -> {
          Map<String, Long> epochs = new TreeMap<>();
          session.visit(
              OWNED,
              Params.of("executorId", executorId),
              row -> epochs.put(row.getString("name"), row.getLong("epoch")));
          return epochs;
        });
  }

  @Override
  public List<AlwaysOn> changed(long executorId) {
    return jdbc.run(
        "list changed continuous workflows",
        session -> session.query(CHANGED, Params.of("executorId", executorId), AlwaysOnRows::read));
  }

  @Override
  public void heed(Owner owner, int revision) {
    jdbc.run(
        "heed a change of continuous workflow '" + owner.name() + "'",
        session -> {
          AlwaysOnWishes.heed(session, owner, revision);
          return owner;
        });
  }

  @Override
  public FireResult fire(TriggerFire fire) {
    AlwaysOnRules.checkPosition(fire.owner().name(), fire.position());
    AlwaysOnRules.checkMemory(fire.owner().name(), fire.memory());
    return jdbc.transaction(
        "fire the trigger of continuous workflow '" + fire.owner().name() + "'",
        session -> AlwaysOnTriggers.fire(session, fire));
  }

  @Override
  public Set<String> memory(String name) {
    return AlwaysOnRules.isName(name)
        ? jdbc.run(
            "read the memory of the trigger of continuous workflow '" + name + "'",
            Limit.LONG,
            session -> TriggerMemory.read(session, name))
        : Set.of();
  }

  @Override
  public boolean move(Owner owner, long generation, @Nullable String position) {
    AlwaysOnRules.checkPosition(owner.name(), position);
    return jdbc.run(
        "move the trigger of continuous workflow '" + owner.name() + "'",
        session -> AlwaysOnTriggers.move(session, owner, generation, position));
  }

  @Override
  public Optional<List<FireId>> miss(TriggerMiss miss) {
    AlwaysOnRules.checkPosition(miss.owner().name(), miss.position());
    return jdbc.transaction(
        "record the missed periods of continuous workflow '" + miss.owner().name() + "'",
        session -> AlwaysOnTriggers.miss(session, miss));
  }

  @Override
  public List<Settled> settle(long executorId, List<String> names) {
    List<Settled> ended =
        jdbc.run(
            "look for ended executions of continuous workflows",
            session -> AlwaysOnTriggers.ended(session, executorId, names));
    return ended.isEmpty()
        ? ended
        : jdbc.transaction(
            "settle executions of continuous workflows",
            Limit.forRows(ended.size()),
            session -> AlwaysOnTriggers.settle(session, executorId, ended));
  }

  @Override
  public List<AlwaysOn> continueAsNew(
      long executorId, List<String> names, Duration minAge, String reason) {
    return jdbc.transaction(
        "continue continuous workflows",
        Limit.LONG,
        session -> AlwaysOnRuns.continueAsNew(session, executorId, names, minAge, reason));
  }

  @Override
  public int release(List<Owner> owners, String reason, @Nullable Long preferred) {
    return owners.isEmpty()
        ? 0
        : jdbc.transaction(
            "give back continuous workflows",
            Limit.forRows(owners.size()),
            session -> AlwaysOnRuns.release(session, owners, reason, preferred));
  }

  @Override
  public boolean failed(Owner owner, Failure failure) {
    return jdbc.transaction(
        "write that the trigger of continuous workflow '" + owner.name() + "' has failed",
        session -> AlwaysOnRuns.fail(session, owner, failure));
  }

  @Override
  public OfferResult offer(String name, String key, String payload, int most) {
    AlwaysOnRules.checkOffer(name, key, payload);
    return AlwaysOnRules.isName(name)
        ? jdbc.transaction(
            "keep an event for continuous workflow '" + name + "'",
            session ->
                AlwaysOnTriggers.offer(
                    session, name, new AlwaysOnTriggers.NewOffer(key, payload, most)))
        : OfferResult.UNKNOWN;
  }

  @Override
  public List<Offer> offers(String name, int limit) {
    return AlwaysOnRules.isName(name)
        ? jdbc.run(
            "list the events for a continuous workflow",
            session -> AlwaysOnTriggers.offers(session, name, limit))
        : List.of();
  }

  @Override
  public List<Event> events(String name, @Nullable Long before, int limit) {
    return AlwaysOnRules.isName(name)
        ? jdbc.run(
            "list the events of a continuous workflow",
            session -> AlwaysOnEvents.list(session, name, before, limit))
        : List.of();
  }
}
