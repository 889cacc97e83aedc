package io.millrace.testing;

import io.millrace.data.PeriodClaimResult;
import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodId;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.store.AuditEntryFactory;
import io.millrace.store.ContinuousRules;
import io.millrace.store.ContinuousStore;
import io.millrace.store.RunStartCodes;
import io.millrace.store.StartResult;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.store.StoredContinuousWorkflow.OwnerRequest;
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
final class MemoryContinuousStore implements ContinuousStore {

  private static final Duration LEFT_TO_PREFERRED = Duration.ofSeconds(5);

  private final MemoryTables tables;
  private final MemoryContinuousTables triggers;
  private final MemoryAuditStore audit;
  private final MemoryPeriodLedgerStore periodLedger;

  MemoryContinuousStore(
      MemoryTables tables,
      MemoryContinuousTables triggers,
      MemoryAuditStore audit,
      MemoryPeriodLedgerStore periodLedger) {
    this.tables = tables;
    this.triggers = triggers;
    this.audit = audit;
    this.periodLedger = periodLedger;
  }

  @Override
  public void register(List<Registration> workflows) {
    ContinuousRules.check(workflows);
    tables.transaction(now -> {
      for (Registration workflow : workflows) {
        MemoryContinuousRow row = row(workflow.identity().name());
        if (row == null) {
          triggers.workflows.put(
              workflow.identity().name(), new MemoryContinuousRow(workflow, now));
        } else if (!row.identity.equals(workflow.identity())) {
          row.identity = workflow.identity();
          row.changedByOthers(now);
        }
      }
      return workflows;
    });
  }

  private @Nullable MemoryContinuousRow row(String name) {
    return triggers.workflows.get(name);
  }

  private @Nullable MemoryContinuousRow row(Owner owner) {
    MemoryContinuousRow row = row(owner.name());
    return row != null && row.isOwnedBy(owner) ? row : null;
  }

  /** Returns those of the workflows that exist, by name. */
  private Stream<MemoryContinuousRow> rows(Collection<String> names) {
    return new TreeSet<>(names).stream().map(this::row).filter(Objects::nonNull);
  }

  /** Returns the named workflows that the executor owns; all that it owns if there are no names. */
  private Stream<MemoryContinuousRow> rows(long executorId, List<String> names) {
    return triggers
        .ownedBy(executorId)
        .filter(row -> names.isEmpty() || names.contains(row.name()));
  }

  private static List<StoredContinuousWorkflow> snapshots(
      List<MemoryContinuousRow> rows, Instant now) {
    return rows.stream().map(row -> row.snapshot(now)).toList();
  }

  @Override
  public boolean remove(String name) {
    return tables.transaction(now -> {
      MemoryContinuousRow row = row(name);
      if (row == null || row.isEnabled() || row.executorId != null) {
        return false;
      }
      triggers.remove(name);
      return true;
    });
  }

  @Override
  public Optional<StoredContinuousWorkflow> find(String name) {
    return tables.transaction(now -> Optional.ofNullable(row(name)).map(row -> row.snapshot(now)));
  }

  @Override
  public List<StoredContinuousWorkflow> list(Filter filter, @Nullable String after, int limit) {
    String text = filter.text() == null ? "" : filter.text().toLowerCase(Locale.ROOT);
    return tables.transaction(now ->
        triggers.workflows.values().stream()
            .filter(row -> after == null || row.name().compareTo(after) > 0)
            .filter(row ->
                filter.executorGroup() == null
                    || row.identity.executorGroup().equals(filter.executorGroup()))
            .filter(row -> filter.enabled() == null || row.enabled == filter.enabled())
            .filter(
                row -> filter.executorId() == null || filter.executorId().equals(row.executorId))
            .filter(row -> row.name().toLowerCase(Locale.ROOT).contains(text))
            .filter(row -> !filter.unhealthy() || isUnhealthy(row, now))
            .limit(limit)
            .map(row -> row.snapshot(now))
            .toList());
  }

  private static boolean isUnhealthy(MemoryContinuousRow row, Instant now) {
    return row.isEnabled() && (row.executorId == null || row.crashLoop || row.isBackingOff(now));
  }

  @Override
  public boolean setEnabled(String name, boolean enabled, OperatorAction action) {
    return tables.transaction(now -> {
      MemoryContinuousRow row = row(name);
      if (row == null || row.enabled == enabled) {
        return row != null;
      }
      if (enabled) {
        enable(row, action, now);
      } else {
        disable(row, action, now);
      }
      row.failures = 0;
      row.crashLoop = false;
      row.backOffUntil = null;
      row.changedByOthers(now);
      return true;
    });
  }

  private void enable(MemoryContinuousRow row, OperatorAction action, Instant now) {
    row.enabled = true;
    row.enableCount++;
    row.startMode = RunStartCodes.MANUAL;
    row.startReason = RunStartCodes.MANUAL_REASON;
    row.request = row.executorId == null ? null : OwnerRequest.RESTART;
    row.error = null;
    row.downSince = row.executorId == null ? now : null;
    row.enabled(RunStartCodes.MANUAL_REASON, action.summary(), now);
    audit(row, "enable", action, now);
  }

  private void disable(MemoryContinuousRow row, OperatorAction action, Instant now) {
    row.happened(LogEntryType.DISABLED, RunStartCodes.MANUAL_REASON, action.summary(), now);
    row.enabled = false;
    row.startMode = null;
    row.startReason = null;
    row.request = null;
    row.preferred = null;
    row.downSince = null;
    audit(row, "disable", action, now);
  }

  private void audit(
      MemoryContinuousRow row, String action, OperatorAction operatorAction, Instant now) {
    audit.add(
        AuditEntryFactory.ofContinuousWorkflow(row.name(), action, operatorAction), null, now);
  }

  @Override
  public boolean request(
      String name, OwnerRequest ownerRequest, @Nullable Long preferred, OperatorAction action) {
    return tables.transaction(now -> {
      MemoryContinuousRow row = row(name);
      if (row == null) {
        return false;
      }
      row.request = row.executorId == null ? null : ownerRequest;
      if (ownerRequest == OwnerRequest.MOVE) {
        row.preferred = preferred;
      } else if (ownerRequest == OwnerRequest.RESTART) {
        row.startMode = row.isEnabled() ? RunStartCodes.MANUAL : row.startMode;
        row.startReason = row.isEnabled() ? RunStartCodes.MANUAL_REASON : row.startReason;
        row.backOffUntil = null;
        row.failures = 0;
        row.crashLoop = false;
      }
      row.changedByOthers(now);
      audit(row, ownerRequest.name().toLowerCase(Locale.ROOT), action, now);
      return true;
    });
  }

  @Override
  public boolean debug(String name, Duration limit, OperatorAction action) {
    return tables.transaction(now -> {
      MemoryContinuousRow row = row(name);
      if (row == null) {
        return false;
      }
      boolean debugged = row.isDebugged(now);
      boolean begins = limit.isPositive();
      if (begins != debugged) {
        row.happened(
            begins ? LogEntryType.DEBUG_STARTED : LogEntryType.DEBUG_ENDED,
            null,
            action.summary(),
            now);
        row.revision++;
        audit(row, begins ? "debug" : "debugEnd", action, now);
      }
      if (begins || debugged) {
        row.debugUntil = begins ? MemoryColumnTimes.after(limit, now) : null;
        row.debugBy = begins ? action.actor() : null;
        row.modified = now;
      }
      return true;
    });
  }

  @Override
  public Map<Long, Integer> ownedCounts(String executorGroup) {
    return tables.transaction(now -> {
      Map<Long, Integer> load = new TreeMap<>();
      triggers.workflows.values().stream()
          .filter(row -> row.isEnabled() && row.identity.executorGroup().equals(executorGroup))
          .forEach(row -> load.merge(row.executorId == null ? 0 : row.executorId, 1, Integer::sum));
      return load;
    });
  }

  @Override
  public List<String> unowned(String executorGroup, long executorId, int limit) {
    return tables.transaction(now ->
        triggers.workflows.values().stream()
            .filter(row -> row.identity.executorGroup().equals(executorGroup))
            .filter(row -> row.isOrphan(now) && !isLeftToAnother(row, executorId, now))
            .sorted(Comparator.comparing(row -> !Objects.equals(row.preferred, executorId)))
            .limit(limit)
            .map(MemoryContinuousRow::name)
            .toList());
  }

  private boolean isLeftToAnother(MemoryContinuousRow row, long executorId, Instant now) {
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
        && executor.readiness().state().acceptsWork()
        && !executor.expires().isBefore(now);
  }

  @Override
  public List<StoredContinuousWorkflow> claim(long executorId, List<String> names) {
    return tables.transaction(now -> {
      ExecutorInfo executor = tables.executors.get(executorId);
      if (executor == null || !takesWork(executor, now)) {
        return List.of();
      }
      String group = executor.identity().executorGroup();
      List<MemoryContinuousRow> free =
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
  public List<StoredContinuousWorkflow> changed(long executorId) {
    return tables.transaction(
        now -> snapshots(triggers.ownedBy(executorId).filter(row -> row.attention).toList(), now));
  }

  @Override
  public void acknowledge(Owner owner, int revision) {
    tables.transaction(now -> {
      MemoryContinuousRow row = row(owner);
      if (row != null && row.revision == revision) {
        row.attention = false;
        row.request = null;
      }
      return owner;
    });
  }

  @Override
  public FireResult fire(TriggerFire fire) {
    ContinuousRules.checkPosition(fire.owner().name(), fire.position());
    ContinuousRules.checkMemory(fire.owner().name(), fire.memory());
    return tables.transaction(now -> {
      tables.hooks.requireWriters(fire.execution());
      MemoryContinuousRow row = row(fire.owner());
      if (row == null || row.generation() != fire.generation()) {
        return new FireResult.NotOwner();
      }
      if (row.executionId != null) {
        if (!tables.isOf(row.executionId, fire.execution().origin())) {
          return new FireResult.NotOwner();
        }
        triggers.remember(row.name(), fire.memory());
        return new FireResult.Duplicate(row.executionId);
      }
      FirePeriod period = fire.period();
      if (period != null) {
        periodLedger.recordMissed(period.missed(), period.whyMissed(), now);
        if (periodLedger.claim(period.claim(fire.owner()), now)
            instanceof PeriodClaimResult.Taken(PeriodEntry by)) {
          if (by.state().isHeld()) {
            return new FireResult.PeriodHeld(by);
          }
          if (fire.position() != null) {
            row.passTo(fire.position(), now);
          }
          triggers.remember(row.name(), fire.memory());
          return new FireResult.PeriodClosed(by);
        }
      }
      StartResult result = tables.start(fire.execution(), now);
      if (period != null) {
        periodLedger.run(period.claim(fire.owner()), result.id());
      }
      row.position = fire.position() == null ? row.position : fire.position();
      row.executionId = result.id();
      row.fires += result instanceof StartResult.Created ? 1 : 0;
      row.lastFire = now;
      row.modified = now;
      triggers.remember(row.name(), fire.memory());
      if (fire.offered() != null) {
        triggers.take(row.name(), fire.offered());
      }
      return result instanceof StartResult.Created
          ? new FireResult.Started(result.id(), now)
          : new FireResult.Duplicate(result.id());
    });
  }

  @Override
  public Set<String> memory(String name) {
    return tables.transaction(now -> triggers.memory(name));
  }

  @Override
  public boolean updatePosition(Owner owner, long generation, @Nullable String position) {
    ContinuousRules.checkPosition(owner.name(), position);
    return tables.transaction(now -> {
      MemoryContinuousRow row = row(owner);
      if (row == null || row.generation() != generation) {
        return false;
      }
      row.passTo(position, now);
      return true;
    });
  }

  @Override
  public Optional<List<PeriodId>> recordMissed(TriggerMiss miss) {
    ContinuousRules.checkPosition(miss.owner().name(), miss.position());
    return tables.transaction(now -> {
      MemoryContinuousRow row = row(miss.owner());
      if (row == null || row.generation() != miss.generation()) {
        return Optional.empty();
      }
      if (miss.position() != null) {
        row.passTo(miss.position(), now);
      }
      return Optional.of(periodLedger.recordMissed(miss.periods(), now));
    });
  }

  @Override
  public List<EndedExecution> acknowledgeEnded(long executorId, List<String> names) {
    return tables.transaction(now -> {
      List<EndedExecution> acknowledged = new ArrayList<>();
      for (MemoryContinuousRow row : rows(executorId, names).toList()) {
        Long executionId = row.executionId;
        if (executionId != null && !isOpen(executionId)) {
          row.endAcknowledged(tables.rows.get(executionId), now);
          acknowledged.add(new EndedExecution(row.name(), executionId, row.lastResult));
        }
      }
      return List.copyOf(acknowledged);
    });
  }

  private boolean isOpen(long executionId) {
    MemoryInstance execution = tables.rows.get(executionId);
    return execution != null
        && execution.ended == null
        && execution.status != InstanceStatus.MANUAL;
  }

  @Override
  public List<StoredContinuousWorkflow> continueAsNew(
      long executorId, List<String> names, Duration minAge, String reason) {
    return tables.transaction(now -> {
      List<MemoryContinuousRow> ripe =
          rows(executorId, names)
              .filter(row -> row.isEnabled() && row.iterations > 0 && row.executionId == null)
              .filter(row -> !row.isDebugged(now))
              .filter(row -> row.run != null && !row.run.started().isAfter(now.minus(minAge)))
              .toList();
      ripe.forEach(row -> row.continueRun(Objects.requireNonNull(row.run), reason, now));
      return snapshots(ripe, now);
    });
  }

  @Override
  public int release(List<Owner> owners, String reason, @Nullable Long preferred) {
    return tables.transaction(now -> {
      int released = 0;
      for (Owner owner : owners) {
        MemoryContinuousRow row = row(owner);
        if (row != null) {
          row.release(reason, now);
          row.preferred = preferred == null ? row.preferred : preferred;
          released++;
        }
      }
      return released;
    });
  }

  @Override
  public boolean recordFailure(Owner owner, TriggerFailure triggerFailure) {
    return tables.transaction(now -> {
      MemoryContinuousRow row = row(owner);
      if (row == null) {
        return false;
      }
      row.error = MemoryColumnTexts.reason(triggerFailure.error());
      row.happened(LogEntryType.FAILED, RunStartCodes.RESTART, row.error, now);
      if (triggerFailure.crashLoop() && !row.crashLoop) {
        row.happened(LogEntryType.CRASH_LOOP, RunStartCodes.RESTART, row.error, now);
      }
      row.endRun(RunStartCodes.AUTO, RunStartCodes.RESTART, now);
      row.failures = triggerFailure.failures();
      row.backOffUntil = MemoryColumnTimes.after(triggerFailure.backOff(), now);
      row.crashLoop = triggerFailure.crashLoop();
      return true;
    });
  }

  @Override
  public OfferResult offer(String name, String key, String payload, int most) {
    ContinuousRules.checkOffer(name, key, payload);
    return tables.transaction(
        now -> triggers.offer(name, new OfferedEvent(0, key, payload, now), most));
  }

  @Override
  public List<OfferedEvent> offeredEvents(String name, int limit) {
    return tables.transaction(now -> triggers.offeredEvents(name, limit));
  }

  @Override
  public List<LogEntry> log(String name, @Nullable Long before, int limit) {
    return tables.transaction(now -> {
      MemoryContinuousRow row = row(name);
      return row == null
          ? List.of()
          : row
              .log
              .headMap(before == null ? Long.MAX_VALUE : before, false)
              .descendingMap()
              .values()
              .stream()
              .limit(limit)
              .toList();
    });
  }

  /** Does nothing, since a workflow in memory is removed as a whole. */
  @Override
  public int resumeRemovals() {
    return 0;
  }

  @Override
  public int trimLog(int keep, int limit) {
    return tables.transaction(now -> triggers.trim(keep, limit));
  }
}
