package io.millrace.testing;

import io.millrace.data.Fire;
import io.millrace.data.FireClaim;
import io.millrace.data.FireId;
import io.millrace.instance.Deed;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceStatus;
import io.millrace.store.AlwaysOn;
import io.millrace.store.AlwaysOn.Desired;
import io.millrace.store.AlwaysOn.Request;
import io.millrace.store.AlwaysOnRules;
import io.millrace.store.AlwaysOnStore;
import io.millrace.store.AuditTrail;
import io.millrace.store.StartMode;
import io.millrace.store.StartResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Continuous workflows in memory. */
final class MemoryAlwaysOn implements AlwaysOnStore {

  private static final Duration LEFT_TO_PREFERRED = Duration.ofSeconds(5);

  private final MemoryTables tables;
  private final MemoryTriggers triggers;
  private final MemoryAudit audit;
  private final MemoryFires fires;

  MemoryAlwaysOn(MemoryTables tables, MemoryAudit audit, MemoryFires fires) {
    this.tables = tables;
    this.triggers = tables.triggers;
    this.audit = audit;
    this.fires = fires;
  }

  @Override
  public void register(List<Registration> workflows) {
    AlwaysOnRules.check(workflows);
    tables.transaction(now -> {
      for (Registration workflow : workflows) {
        MemoryAlwaysOnRow row = row(workflow.identity().name());
        if (row == null) {
          triggers.workflows.put(workflow.identity().name(), new MemoryAlwaysOnRow(workflow, now));
        } else if (!row.identity.equals(workflow.identity())) {
          row.identity = workflow.identity();
          row.changedByOthers(now);
        }
      }
      return workflows;
    });
  }

  private @Nullable MemoryAlwaysOnRow row(String name) {
    return triggers.workflows.get(name);
  }

  private @Nullable MemoryAlwaysOnRow row(Owner owner) {
    MemoryAlwaysOnRow row = row(owner.name());
    return row != null && row.isOwnedBy(owner) ? row : null;
  }

  /** Those of the workflows that are there, by name. */
  private Stream<MemoryAlwaysOnRow> rows(Collection<String> names) {
    return new TreeSet<>(names).stream().map(this::row).filter(Objects::nonNull);
  }

  /** Those of the named workflows that the executor owns; of all when there are no names. */
  private Stream<MemoryAlwaysOnRow> rows(long executorId, List<String> names) {
    return triggers
        .ownedBy(executorId)
        .filter(row -> names.isEmpty() || names.contains(row.name()));
  }

  private static List<AlwaysOn> snapshots(List<MemoryAlwaysOnRow> rows, Instant now) {
    return rows.stream().map(row -> row.snapshot(now)).toList();
  }

  @Override
  public boolean remove(String name) {
    return tables.transaction(now -> {
      MemoryAlwaysOnRow row = row(name);
      if (row == null || row.isOn() || row.executorId != null) {
        return false;
      }
      triggers.remove(name);
      return true;
    });
  }

  @Override
  public Optional<AlwaysOn> find(String name) {
    return tables.transaction(now -> Optional.ofNullable(row(name)).map(row -> row.snapshot(now)));
  }

  @Override
  public List<AlwaysOn> list(Filter filter, @Nullable String after, int limit) {
    String text = filter.text() == null ? "" : filter.text().toLowerCase(Locale.ROOT);
    return tables.transaction(now ->
        triggers.workflows.values().stream()
            .filter(row -> after == null || row.name().compareTo(after) > 0)
            .filter(row ->
                filter.executorGroup() == null
                    || row.identity.executorGroup().equals(filter.executorGroup()))
            .filter(row -> filter.desired() == null || row.desired == filter.desired())
            .filter(
                row -> filter.executorId() == null || filter.executorId().equals(row.executorId))
            .filter(row -> row.name().toLowerCase(Locale.ROOT).contains(text))
            .filter(row -> !filter.troubled() || isTroubled(row, now))
            .limit(limit)
            .map(row -> row.snapshot(now))
            .toList());
  }

  private static boolean isTroubled(MemoryAlwaysOnRow row, Instant now) {
    return row.isOn() && (row.executorId == null || row.crashLoop || row.isBackingOff(now));
  }

  @Override
  public boolean desire(String name, Desired desired, Deed deed) {
    return tables.transaction(now -> {
      MemoryAlwaysOnRow row = row(name);
      if (row == null || row.desired == desired) {
        return row != null;
      }
      if (desired == Desired.ON) {
        switchOn(row, deed, now);
      } else {
        switchOff(row, deed, now);
      }
      row.restarts = 0;
      row.crashLoop = false;
      row.backOffUntil = null;
      row.changedByOthers(now);
      return true;
    });
  }

  private void switchOn(MemoryAlwaysOnRow row, Deed deed, Instant now) {
    row.desired = Desired.ON;
    row.switches++;
    row.startMode = StartMode.MANUAL;
    row.startReason = StartMode.BY_HAND;
    row.request = row.executorId == null ? null : Request.RESTART;
    row.error = null;
    row.downSince = row.executorId == null ? now : null;
    row.switchedOn(StartMode.BY_HAND, deed.summary(), now);
    audit(row, "switchOn", deed, now);
  }

  private void switchOff(MemoryAlwaysOnRow row, Deed deed, Instant now) {
    row.happened(EventType.SWITCHED_OFF, StartMode.BY_HAND, deed.summary(), now);
    row.desired = Desired.OFF;
    row.startMode = null;
    row.startReason = null;
    row.request = null;
    row.preferred = null;
    row.downSince = null;
    audit(row, "switchOff", deed, now);
  }

  private void audit(MemoryAlwaysOnRow row, String action, Deed deed, Instant now) {
    audit.add(AuditTrail.ofAlwaysOn(row.name(), action, deed), null, now);
  }

  @Override
  public boolean ask(String name, Request request, @Nullable Long preferred, Deed deed) {
    return tables.transaction(now -> {
      MemoryAlwaysOnRow row = row(name);
      if (row == null) {
        return false;
      }
      row.request = row.executorId == null ? null : request;
      if (request == Request.MOVE) {
        row.preferred = preferred;
      } else if (request == Request.RESTART) {
        row.startMode = row.isOn() ? StartMode.MANUAL : row.startMode;
        row.startReason = row.isOn() ? StartMode.BY_HAND : row.startReason;
        row.backOffUntil = null;
        row.restarts = 0;
        row.crashLoop = false;
      }
      row.changedByOthers(now);
      audit(row, request.name().toLowerCase(Locale.ROOT), deed, now);
      return true;
    });
  }

  @Override
  public boolean debug(String name, Duration limit, Deed deed) {
    return tables.transaction(now -> {
      MemoryAlwaysOnRow row = row(name);
      if (row == null) {
        return false;
      }
      boolean debugged = row.isDebugged(now);
      boolean begins = limit.isPositive();
      if (begins != debugged) {
        row.happened(
            begins ? EventType.DEBUG_BEGUN : EventType.DEBUG_ENDED, null, deed.summary(), now);
        row.revision++;
        audit(row, begins ? "debug" : "debugEnd", deed, now);
      }
      if (begins || debugged) {
        row.debugUntil = begins ? MemoryTimes.after(limit, now) : null;
        row.debugBy = begins ? deed.actor() : null;
        row.modified = now;
      }
      return true;
    });
  }

  @Override
  public Map<Long, Integer> load(String executorGroup) {
    return tables.transaction(now -> {
      Map<Long, Integer> load = new TreeMap<>();
      triggers.workflows.values().stream()
          .filter(row -> row.isOn() && row.identity.executorGroup().equals(executorGroup))
          .forEach(row -> load.merge(row.executorId == null ? 0 : row.executorId, 1, Integer::sum));
      return load;
    });
  }

  @Override
  public List<String> orphans(String executorGroup, long executorId, int limit) {
    return tables.transaction(now ->
        triggers.workflows.values().stream()
            .filter(row -> row.identity.executorGroup().equals(executorGroup))
            .filter(row -> row.isOrphan(now) && !isLeftToAnother(row, executorId, now))
            .sorted(Comparator.comparing(row -> !Objects.equals(row.preferred, executorId)))
            .limit(limit)
            .map(MemoryAlwaysOnRow::name)
            .toList());
  }

  private boolean isLeftToAnother(MemoryAlwaysOnRow row, long executorId, Instant now) {
    Long preferred = row.preferred;
    if (preferred == null || preferred == executorId) {
      return false;
    }
    Instant down = row.downSince;
    boolean patient = down == null || down.isAfter(now.minus(LEFT_TO_PREFERRED));
    ExecutorInfo other = tables.executors.get(preferred);
    return patient && takesWork(other, now);
  }

  private static boolean takesWork(@Nullable ExecutorInfo executor, Instant now) {
    return executor != null
        && executor.stopped() == null
        && executor.standing().state().takesWork()
        && !executor.expires().isBefore(now);
  }

  @Override
  public List<AlwaysOn> claim(long executorId, List<String> names) {
    return tables.transaction(now -> {
      ExecutorInfo executor = tables.executors.get(executorId);
      if (executor == null || !takesWork(executor, now)) {
        return List.of();
      }
      String group = executor.identity().executorGroup();
      List<MemoryAlwaysOnRow> free =
          rows(names)
              .filter(row -> row.isOrphan(now) && row.identity.executorGroup().equals(group))
              .toList();
      free.forEach(row -> row.begin(executorId, now));
      return snapshots(free, now);
    });
  }

  @Override
  public Map<String, Long> owned(long executorId) {
    return tables.transaction(now -> {
      Map<String, Long> epochs = new TreeMap<>();
      triggers.ownedBy(executorId).forEach(row -> epochs.put(row.name(), row.epoch));
      return epochs;
    });
  }

  @Override
  public List<AlwaysOn> changed(long executorId) {
    return tables.transaction(
        now -> snapshots(triggers.ownedBy(executorId).filter(row -> row.attention).toList(), now));
  }

  @Override
  public void heed(Owner owner, int revision) {
    tables.transaction(now -> {
      MemoryAlwaysOnRow row = row(owner);
      if (row != null && row.revision == revision) {
        row.attention = false;
        row.request = null;
      }
      return owner;
    });
  }

  @Override
  public FireResult fire(TriggerFire fire) {
    AlwaysOnRules.checkPosition(fire.owner().name(), fire.position());
    AlwaysOnRules.checkMemory(fire.owner().name(), fire.memory());
    return tables.transaction(now -> {
      MemoryAlwaysOnRow row = row(fire.owner());
      if (row == null || row.generation() != fire.generation()) {
        return new FireResult.Lost();
      }
      if (row.executionId != null) {
        if (!tables.isOf(row.executionId, fire.execution().origin())) {
          return new FireResult.Lost();
        }
        triggers.remember(row.name(), fire.memory());
        return new FireResult.Known(row.executionId);
      }
      FirePeriod period = fire.period();
      if (period != null) {
        fires.miss(period.missed(), period.whyMissed(), now);
        if (fires.claim(period.claim(fire.owner()), now) instanceof FireClaim.Taken(Fire by)) {
          if (by.state().isHeld()) {
            return new FireResult.Held(by);
          }
          if (fire.position() != null) {
            row.moved(fire.position(), now);
          }
          triggers.remember(row.name(), fire.memory());
          return new FireResult.Passed(by);
        }
      }
      StartResult result = tables.start(fire.execution(), now);
      if (period != null) {
        fires.run(period.claim(fire.owner()), result.id());
      }
      row.position = fire.position() == null ? row.position : fire.position();
      row.executionId = result.id();
      row.fires += result instanceof StartResult.Created ? 1 : 0;
      row.lastFire = now;
      row.modified = now;
      triggers.remember(row.name(), fire.memory());
      if (fire.offer() != null) {
        triggers.take(row.name(), fire.offer());
      }
      return result instanceof StartResult.Created
          ? new FireResult.Started(result.id(), now)
          : new FireResult.Known(result.id());
    });
  }

  @Override
  public Set<String> memory(String name) {
    return tables.transaction(now -> triggers.memory(name));
  }

  @Override
  public boolean move(Owner owner, long generation, @Nullable String position) {
    AlwaysOnRules.checkPosition(owner.name(), position);
    return tables.transaction(now -> {
      MemoryAlwaysOnRow row = row(owner);
      if (row == null || row.generation() != generation) {
        return false;
      }
      row.moved(position, now);
      return true;
    });
  }

  @Override
  public Optional<List<FireId>> miss(TriggerMiss miss) {
    AlwaysOnRules.checkPosition(miss.owner().name(), miss.position());
    return tables.transaction(now -> {
      MemoryAlwaysOnRow row = row(miss.owner());
      if (row == null || row.generation() != miss.generation()) {
        return Optional.empty();
      }
      if (miss.position() != null) {
        row.moved(miss.position(), now);
      }
      return Optional.of(fires.miss(miss.periods(), now));
    });
  }

  @Override
  public List<Settled> settle(long executorId, List<String> names) {
    return tables.transaction(now -> {
      List<Settled> settled = new ArrayList<>();
      for (MemoryAlwaysOnRow row : rows(executorId, names).toList()) {
        Long executionId = row.executionId;
        if (executionId != null && !isOpen(executionId)) {
          row.settled(tables.rows.get(executionId), now);
          settled.add(new Settled(row.name(), executionId, row.lastResult));
        }
      }
      return List.copyOf(settled);
    });
  }

  private boolean isOpen(long executionId) {
    MemoryRow execution = tables.rows.get(executionId);
    return execution != null
        && execution.ended == null
        && execution.status != InstanceStatus.MANUAL;
  }

  @Override
  public List<AlwaysOn> continueAsNew(
      long executorId, List<String> names, Duration minAge, String reason) {
    return tables.transaction(now -> {
      List<MemoryAlwaysOnRow> ripe =
          rows(executorId, names)
              .filter(row -> row.isOn() && row.iterations > 0 && row.executionId == null)
              .filter(row -> !row.isDebugged(now))
              .filter(row -> row.run != null && !row.run.started().isAfter(now.minus(minAge)))
              .toList();
      ripe.forEach(row -> row.goOn(Objects.requireNonNull(row.run), reason, now));
      return snapshots(ripe, now);
    });
  }

  @Override
  public int release(List<Owner> owners, String reason, @Nullable Long preferred) {
    return tables.transaction(now -> {
      int released = 0;
      for (Owner owner : owners) {
        MemoryAlwaysOnRow row = row(owner);
        if (row != null) {
          row.giveBack(reason, now);
          row.preferred = preferred == null ? row.preferred : preferred;
          released++;
        }
      }
      return released;
    });
  }

  @Override
  public boolean failed(Owner owner, Failure failure) {
    return tables.transaction(now -> {
      MemoryAlwaysOnRow row = row(owner);
      if (row == null) {
        return false;
      }
      row.error = MemoryText.reason(failure.error());
      row.happened(EventType.FAILED, StartMode.RESTART, row.error, now);
      if (failure.crashLoop() && !row.crashLoop) {
        row.happened(EventType.CRASH_LOOP, StartMode.RESTART, row.error, now);
      }
      row.giveUp(StartMode.AUTO, StartMode.RESTART, now);
      row.restarts = failure.restarts();
      row.backOffUntil = MemoryTimes.after(failure.backOff(), now);
      row.crashLoop = failure.crashLoop();
      return true;
    });
  }

  @Override
  public OfferResult offer(String name, String key, String payload, int most) {
    AlwaysOnRules.checkOffer(name, key, payload);
    return tables.transaction(now -> triggers.offer(name, new Offer(0, key, payload, now), most));
  }

  @Override
  public List<Offer> offers(String name, int limit) {
    return tables.transaction(now -> triggers.offers(name, limit));
  }

  @Override
  public List<Event> events(String name, @Nullable Long before, int limit) {
    return tables.transaction(now -> {
      MemoryAlwaysOnRow row = row(name);
      return row == null
          ? List.of()
          : row
              .events
              .headMap(before == null ? Long.MAX_VALUE : before, false)
              .descendingMap()
              .values()
              .stream()
              .limit(limit)
              .toList();
    });
  }
}
