package io.millrace.verification.simulation;

import io.millrace.instance.InstanceQuery;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.LogEntry;
import io.millrace.store.ContinuousStore.LogEntryType;
import io.millrace.verification.simulation.SimContinuous.EventSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The checks of the continuous workflows at the end of a simulation. */
final class ContinuousChecks {

  private static final int MAX_LOG = 10_000;

  /** Maximum time without a trigger: a lease, a scan, and the start of a node. */
  private static final Duration BACK = Duration.ofSeconds(25);

  private static final Pattern PAYLOAD = Pattern.compile("\"payload\":(\\d+)");
  private static final Pattern SERIES = Pattern.compile("\"ChainId\":\"([^\"]+)/(\\d+)\"");
  private static final Pattern GENERATION = Pattern.compile("\"Generation\":(\\d+)");
  private static final Pattern EPOCH = Pattern.compile("\"Epoch\":(\\d+)");

  private final SimWorld simWorld;
  private final List<WorkflowInstance> all;

  /** The execution of an event, and the run that fired it. */
  private record Fired(WorkflowInstance execution, int event, long epoch, Run run) {
    Instant created() {
      return execution.timing().created();
    }

    Instant ended() {
      Instant ended = execution.timing().ended();
      return ended == null ? Instant.MAX : ended;
    }
  }

  private record Run(long series, long generation) {}

  ContinuousChecks(SimWorld simWorld, List<WorkflowInstance> all) {
    this.simWorld = simWorld;
    this.all = all;
  }

  void run(List<EventSource> outsides, Instant calm) {
    for (EventSource eventSource : outsides) {
      List<Fired> fired = fired(eventSource.name);
      List<LogEntry> log =
          simWorld
              .database
              .role(ContinuousStore.class)
              .log(eventSource.name, null, MAX_LOG)
              .reversed();
      checkEvents(eventSource, fired);
      checkOwners(eventSource.name, fired, log);
      checkContinuations(eventSource.name, fired, log);
      checkBack(eventSource.name, log, calm);
    }
  }

  private static String found(Pattern pattern, String text, int group) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IllegalStateException(pattern + " is not in " + text);
    }
    return matcher.group(group);
  }

  private List<Fired> fired(String name) {
    List<Fired> fired = new ArrayList<>();
    for (WorkflowInstance one : all) {
      String input = simWorld.database.queries().input(one.id()).orElse("");
      if (one.type().equals(SimContinuous.TYPE) && found(SERIES, input, 1).equals(name)) {
        fired.add(
            new Fired(
                one,
                Integer.parseInt(found(PAYLOAD, input, 1)),
                Long.parseLong(found(EPOCH, input, 1)),
                new Run(
                    Long.parseLong(found(SERIES, input, 2)),
                    Long.parseLong(found(GENERATION, input, 1)))));
      }
    }
    fired.sort(Comparator.comparingLong(one -> one.execution.id()));
    return fired;
  }

  private void checkEvents(EventSource eventSource, List<Fired> fired) {
    simWorld.journal.counts.merge("events", fired.size(), Integer::sum);
    int[] times = new int[eventSource.events];
    fired.forEach(one -> times[one.event]++);
    for (int i = 0; i < times.length; i++) {
      if (times[i] > 1) {
        violated(
            "I17", "event " + i + " of " + eventSource.name + " has " + times[i] + " executions");
      } else if (times[i] == 0) {
        violated("I18", "event " + i + " of " + eventSource.name + " is lost");
      }
    }
  }

  private void checkOwners(String name, List<Fired> fired, List<LogEntry> log) {
    long epoch = 0;
    long generation = 0;
    long series = 0;
    for (LogEntry entry : log) {
      boolean begins =
          entry.type() == LogEntryType.STARTED || entry.type() == LogEntryType.CONTINUED;
      LogEntry.RunNumbers now = entry.run();
      boolean same = now.series() == series;
      if (entry.type() == LogEntryType.STARTED && now.epoch() != epoch + 1) {
        violated("I19", name + " was taken in epoch " + now.epoch() + " after " + epoch);
      }
      if (begins && (same ? now.generation() != generation + 1 : now.generation() != 1)) {
        violated("I20", name + " went from generation " + generation + " to " + now);
      }
      epoch = now.epoch();
      generation = begins ? now.generation() : generation;
      series = begins ? now.series() : series;
    }
    Fired before = null;
    for (Fired one : fired) {
      boolean later =
          before == null
              || (one.epoch >= before.epoch
                  && one.run.series >= before.run.series
                  && (one.run.series > before.run.series
                      || one.run.generation >= before.run.generation));
      if (!later) {
        violated("I19", one + " was accepted after " + before);
      }
      if (before != null
          && before.ended().isAfter(one.created())
          && !wasLeftToAPerson(before.execution)) {
        violated("I21", one + " was fired while " + before + " was running");
      }
      before = one;
    }
  }

  private void checkContinuations(String name, List<Fired> fired, List<LogEntry> log) {
    LogEntry began = null;
    Instant continued = Instant.MIN;
    long counted = 0;
    for (LogEntry entry : log) {
      if (entry.type() == LogEntryType.CONTINUED && began != null) {
        simWorld.journal.count("continuations");
        Instant at = entry.at();
        Instant begin = began.at();
        long ended = lastEnded(fired, at);
        if (fired.stream()
            .filter(one -> one.created().isBefore(at) && one.ended().isAfter(at))
            .anyMatch(one -> !wasLeftToAPerson(one.execution))) {
          violated("I21", name + " was continued at " + at + " while an execution was running");
        }
        // An execution that was left to an operator and retried ends once more.
        if (ended <= counted && !anyEnded(fired, continued, at)) {
          violated("I21", name + " was continued at " + at + ", and had done nothing since");
        }
        counted = ended;
        continued = at;
        if (begin.plus(SimContinuous.MIN_AGE).isAfter(at)) {
          violated("I21", name + " was continued at " + at + ", too early after " + begin);
        }
        if (simWorld.continuous.debugged.stream()
            .anyMatch(
                d -> d.name().equals(name) && d.from().isBefore(at) && d.until().isAfter(at))) {
          violated("I21", name + " was continued at " + at + " while it was being debugged");
        }
      }
      if (entry.type() == LogEntryType.STARTED || entry.type() == LogEntryType.CONTINUED) {
        began = entry;
      }
      if (entry.type() == LogEntryType.STARTED) {
        simWorld.journal.count("runs begun");
      }
      if (entry.type() == LogEntryType.LOST) {
        simWorld.journal.count("triggers lost");
      }
    }
  }

  /**
   * True if a person had to act. A trigger does not wait for people, who are faster here than in
   * reality.
   */
  private boolean wasLeftToAPerson(WorkflowInstance one) {
    return simWorld.database.queries().history(one.id(), 0, InstanceQuery.MAX_LIMIT).stream()
        .anyMatch(historyEntry ->
            switch (historyEntry.type()) {
              case STATE_EXECUTION, STATE_EXECUTION_FAILED, RECOVERY -> false;
              default -> true;
            });
  }

  private static boolean anyEnded(List<Fired> fired, Instant after, Instant until) {
    return fired.stream()
        .anyMatch(one -> one.ended().isAfter(after) && !one.ended().isAfter(until));
  }

  private long lastEnded(List<Fired> fired, Instant at) {
    return fired.stream()
        .filter(one -> one.created().isBefore(at))
        .filter(one -> !one.ended().isAfter(at) || wasLeftToAPerson(one.execution))
        .mapToLong(one -> one.execution.id())
        .max()
        .orElse(0);
  }

  /** Returns the latest of {@code down}, {@code calm} and the kills before {@code end}. */
  private Instant lastFault(Instant down, Instant calm, Instant end) {
    return Stream.concat(
            Stream.of(down, calm),
            simWorld.journal.kills.stream().filter(kill -> kill.isBefore(end)))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  /** Checks that no workflow is without trigger for long after the faults are over. */
  private void checkBack(String name, List<LogEntry> log, Instant calm) {
    Instant down = null;
    for (LogEntry entry : log) {
      switch (entry.type()) {
        case ENABLED, RELEASED, LOST -> down = down == null ? entry.at() : down;
        case STARTED -> {
          Instant from = down == null ? entry.at() : lastFault(down, calm, entry.at());
          if (from.plus(BACK).isBefore(entry.at())) {
            violated("I22", name + " was down from " + down + " until " + entry.at());
          }
          down = null;
        }
        case DISABLED, FAILED, CRASH_LOOP -> down = null;
        case CONTINUED, DEBUG_STARTED, DEBUG_ENDED -> {}
      }
    }
  }

  private void violated(String invariant, String what) {
    simWorld.journal.violated(invariant, what);
  }
}
