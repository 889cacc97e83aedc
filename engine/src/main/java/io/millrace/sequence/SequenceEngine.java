package io.millrace.sequence;

import io.millrace.codec.Codec;
import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.extension.EngineServices;
import io.millrace.instance.MillraceException;
import io.millrace.lifecycle.BoundedThreadPool;
import io.millrace.lifecycle.EngineSettings.Retention;
import io.millrace.lifecycle.Loop;
import io.millrace.store.DefinitionStore;
import io.millrace.store.OutboxStore;
import io.millrace.store.QueryStore;
import io.millrace.store.RetentionSweep;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.FireBatchResult;
import io.millrace.store.SequenceStore.FirePlan;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.StoreException;
import io.millrace.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The task sequences of one engine: its scheduler, its pool of threads, and its channels. */
public final class SequenceEngine implements EngineListener {

  private static final Logger LOG = LoggerFactory.getLogger(SequenceEngine.class);

  /** Maximum number of slot records that are written together; the remaining sequences stay due. */
  private static final int MAX_SLOT_RECORDS = 5_000;

  /** Pause when a sequence became due in the meantime. */
  private static final Duration MIN_PAUSE = Duration.ofMillis(10);

  /** Pause while another node fires, or while the database's clock is behind this node's. */
  private static final Duration FRUITLESS_PAUSE = Duration.ofMillis(100);

  /** Pause before fewer sequences are tried at a time. */
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  /** Delay before a sequence that could not be fired is tried again. */
  private static final Duration AFTER_FAULT = Duration.ofMinutes(1);

  private final SequenceStore store;
  private final EngineServices services;
  private final SequenceSettings.SchedulerCrons schedulerCrons;
  private final BoundedThreadPool pool;
  private final CompiledSequenceRegistry compiledSequences;
  private final FirePlanner firePlanner;
  private final SequenceService sequenceService;
  private final @Nullable ChannelTransport transport;
  private final @Nullable ChannelPublisher publisher;
  private final @Nullable ChannelReceiver receiver;

  /** Used by the scheduler's thread only, like the next two fields. */
  private final AdaptiveBatchSize batch = new AdaptiveBatchSize();

  /** Sequences that were found without a definition. */
  private final Deque<String> uncompiled = new ArrayDeque<>();

  /** The problem that was logged last of each sequence that cannot run, by id. */
  private final Map<String, String> loggedProblems = new HashMap<>();

  private volatile @Nullable Loop scheduler;
  private volatile @Nullable Loop refresher;

  /** The roles of the store that sequences need. */
  public record Stores(
      TaskStore tasks,
      SequenceStore sequences,
      OutboxStore outbox,
      QueryStore queries,
      DefinitionStore definitions) {}

  /**
   * The configuration of a node.
   *
   * @param handlers by the component of their tasks
   * @param transport null to hand over in the database
   * @param concurrency number of messages of a channel that are received at a time
   */
  public record Config(
      SequenceSettings settings,
      Map<String, TaskHandler> handlers,
      List<ComponentSource> sources,
      @Nullable ChannelTransport transport,
      int concurrency) {}

  /**
   * Creates the parts. Nothing runs before {@link #start}.
   *
   * @param stores shared by all nodes
   */
  public SequenceEngine(Stores stores, Config config, Codec codec, EngineServices services) {
    this.store = stores.sequences;
    this.services = services;
    this.schedulerCrons = config.settings.crons();
    this.pool = new BoundedThreadPool("millrace-chunk", config.settings.chunks());
    SequenceMapper mapper = new SequenceMapper(codec);
    SequenceCompiler compiler =
        new SequenceCompiler(new TaskStateHandler.Services(codec, pool, config.settings));
    List<ComponentSource> sources = new ArrayList<>(config.sources);
    sources.add(ComponentSource.of(SequenceEngine.class.getClassLoader()));
    ComponentRegistry components = new ComponentRegistry(config.handlers, sources);
    this.compiledSequences =
        new CompiledSequenceRegistry(stores.tasks, codec, components, compiler, services);
    this.firePlanner = new FirePlanner(mapper, services, config.settings);
    TaskService tasks =
        new TaskService(
            stores.tasks, mapper, new TaskTypeRules(stores.definitions, compiledSequences));
    this.sequenceService =
        new SequenceService(
            store, tasks, compiledSequences, mapper, firePlanner, components, services);
    tasks.onChange(
        new TaskChangePropagator(store, compiledSequences, sequenceService::recompile)::propagate);
    this.transport = config.transport;
    this.publisher =
        transport == null
            ? null
            : new ChannelPublisher(transport, stores.outbox, compiledSequences, services);
    this.receiver =
        transport == null
            ? null
            : new ChannelReceiver(
                transport, compiledSequences, stores.queries, services, config.concurrency);
  }

  /** Returns the clean-ups of slot records. */
  public List<RetentionSweep> sweeps(Retention policy) {
    return Stream.concat(
            Stream.of(
                RetentionSweep.of(
                    "removal of sequences in parts", 1, limit -> store.resumeRemovals())),
            RetentionSweep.aged(
                "deletion of slot records", policy.deleteRecordsAfter(), store::deleteSlotRecords))
        .toList();
  }

  /** Returns the sequences of all nodes. */
  public SequenceService sequences() {
    return sequenceService;
  }

  /** Returns the transport of messages to tasks; empty if the database hands them over. */
  public Optional<ChannelTransport> transport() {
    return Optional.ofNullable(transport);
  }

  /** Starts to fire, to send and to receive. */
  public void start() {
    CronDiagnostics.log(CronDiagnostics.of(schedulerCrons, services.runtime().clock().instant()));
    services.define(sequenceService.backfillDefinition());
    compiledSequences.refresh();
    if (publisher != null) {
      publisher.start();
    }
    sequenceService.onChange(this::wake);
    scheduler = services.runtime().runner().loop("millrace-scheduler", this::tick);
    refresher = services.runtime().runner().loop("millrace-compiled-sequences", this::refresh);
  }

  /** Wakes the scheduler and the publisher when an execution has ended here. */
  @Override
  public void onEvent(EngineEvent event) {
    if (event instanceof EngineEvent.TransitionSaved saved
        && saved.transition().status().isTerminal()
        && compiledSequences.hasType(saved.type())) {
      wake();
    }
  }

  private void wake() {
    Loop present = scheduler;
    if (present != null) {
      present.wake();
    }
    wakePublisher();
  }

  /** Wakes the publisher after messages for tasks were written, or may have been. */
  public void wakePublisher() {
    if (publisher != null) {
      publisher.wake();
    }
  }

  /** Starts no more fires and receives no more messages; running executions go on. */
  public void stop(Duration patience) {
    for (Loop loop : Arrays.asList(scheduler, refresher)) {
      if (loop != null) {
        loop.stop(patience);
      }
    }
    if (receiver != null) {
      receiver.close();
    }
  }

  /** Stops sending and ends the threads; called after all handlers have ended. */
  public void close(Duration patience) {
    if (publisher != null) {
      publisher.stop(patience);
    }
    pool.close();
  }

  /** Learns of compiled sequences of other nodes, and listens to the channels of their tasks. */
  private Duration refresh() {
    try {
      compiledSequences.refresh();
      if (receiver != null && services.acceptsWork()) {
        receiver.subscribe();
      } else if (receiver != null) {
        receiver.close();
      }
    } catch (StoreException e) {
      LOG.debug("The compiled sequences of other nodes cannot be read now", e);
    }
    return services.maxSleep().multipliedBy(2);
  }

  /**
   * Runs one round of the scheduler: records ended executions, fires due sequences, and compiles
   * those that were found without a definition. Returns the pause before the next round.
   */
  private Duration tick() {
    int most = batch.get();
    try {
      boolean more = store.recordEnds(most) == most;
      if (!services.acceptsWork()) {
        return more ? Duration.ZERO : services.maxSleep();
      }
      FireBatchResult result = store.fireDue(services.executorGroup(), most, this::plan);
      compileUncompiled();
      if (!result.executions().isEmpty()) {
        LOG.debug("{} sequences were started by their schedules", result.executions().size());
        services.poll();
        wakePublisher();
      }
      more |= result.more();
      Duration pause = more ? Duration.ZERO : pause(result.found() > 0);
      if (batch.succeeded()) {
        LOG.info("Sequences are fired again, up to {} at a time", batch.get());
      }
      return pause;
    } catch (StoreException e) {
      reduceBatch(most, e);
      return most > 1 && AFTER_FAILURE.compareTo(services.maxSleep()) < 0
          ? AFTER_FAILURE
          : services.maxSleep();
    }
  }

  /** Makes the next batch smaller after a failure, and logs the failure. */
  private void reduceBatch(int most, StoreException e) {
    if (batch.failed()) {
      LOG.warn(
          "Due sequences cannot be fired, up to {} at a time; this is tried again with fewer: {}",
          most,
          e.getMessage());
    } else {
      LOG.debug("Up to {} due sequences cannot be fired now", most, e);
    }
  }

  private List<FirePlan> plan(Instant now, List<StoredSequence> due) {
    List<FirePlan> planned = new ArrayList<>(due.size());
    int slotRecords = 0;
    for (StoredSequence sequence : due) {
      try {
        if (slotRecords >= MAX_SLOT_RECORDS) {
          planned.add(
              FirePlanner.noFireUntil(sequence, Objects.requireNonNull(sequence.times().due())));
        } else if (compiledSequences.knows(sequence.type(), sequence.definitionVersion())) {
          planned.add(firePlanner.planDue(now, sequence));
        } else if (sequence.definitionVersion() == null) {
          uncompiled.add(sequence.sequenceId());
          planned.add(FirePlanner.noFireUntil(sequence, now.plus(AFTER_FAULT)));
        } else {
          planned.add(FirePlanner.noFireUntil(sequence, now.plus(services.maxSleep())));
        }
      } catch (RuntimeException e) {
        // A sequence that cannot be planned must not keep the others from running.
        LOG.error("Sequence '{}' cannot be fired", sequence.sequenceId(), e);
        sequenceService.reader().note(sequence.sequenceId());
        planned.add(FirePlanner.noFireUntil(sequence, now.plus(AFTER_FAULT)));
      }
      slotRecords += planned.getLast().slotRecords().size();
    }
    return planned;
  }

  /** Compiles sequences that were written by others, for example by SQL. */
  private void compileUncompiled() {
    for (String id = uncompiled.poll(); id != null; id = uncompiled.poll()) {
      try {
        sequenceService.recompile(id);
        loggedProblems.remove(id);
      } catch (StoreException e) {
        throw e;
      } catch (MillraceException e) {
        logOnce(id, String.valueOf(e.getMessage()));
      }
    }
  }

  /** Logs a problem once, though it is found every minute. */
  private void logOnce(String id, String why) {
    if (!why.equals(loggedProblems.put(id, why))) {
      LOG.warn("Sequence '{}' cannot be run: {}", id, why);
    }
  }

  /**
   * Returns the pause until the next sequence is due, limited so that new ones are noticed in time.
   */
  private Duration pause(boolean fruitful) {
    Optional<Instant> due = store.nextDue(services.executorGroup());
    Duration longest = services.maxSleep();
    Duration until =
        due.map(at -> Duration.between(services.runtime().clock().instant(), at)).orElse(longest);
    if (!until.isPositive()) {
      return fruitful ? MIN_PAUSE : FRUITLESS_PAUSE;
    }
    return until.compareTo(longest) < 0 ? until : longest;
  }
}
