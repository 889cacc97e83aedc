package io.millrace.verification.kill;

import io.millrace.sequence.ChannelTransport.QueueStatus;
import io.millrace.verification.kill.SequenceFacts.AttemptStart;
import io.millrace.verification.kill.SequenceFacts.Execution;
import io.millrace.verification.kill.SequenceFacts.Fire;
import io.millrace.verification.kill.SequenceFacts.HistoryRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The conditions that must hold for task sequences after all faults: every execution has ended,
 * each of its tasks has taken effect once, no message is left, and no slot was fired twice.
 */
public final class SequenceChecks {

  private static final String ANSWER = "stateExecution";

  private final List<String> tasks;
  private final SequenceFacts facts;
  private final List<String> violations = new ArrayList<>();

  private SequenceChecks(List<String> tasks, SequenceFacts facts) {
    this.tasks = tasks;
    this.facts = facts;
  }

  /**
   * Returns all violations; empty if there are none.
   *
   * @param tasks states of every sequence, in order
   * @param wanted sequences, each of which was due to run once
   */
  public static List<String> violations(
      List<String> tasks, Collection<String> wanted, SequenceFacts facts) {
    SequenceChecks checks = new SequenceChecks(tasks, facts);
    checks.checkWanted(wanted);
    checks.checkAll();
    return checks.violations;
  }

  /** Returns all violations for sequences with an unknown number of runs. */
  public static List<String> violations(List<String> tasks, SequenceFacts facts) {
    SequenceChecks checks = new SequenceChecks(tasks, facts);
    checks.checkAll();
    return checks.violations;
  }

  private void checkAll() {
    Map<Long, List<HistoryRow>> histories = by(facts.history(), HistoryRow::executionId);
    Map<Long, List<AttemptStart>> begins = by(facts.begins(), AttemptStart::executionId);
    for (Execution execution : facts.executions()) {
      List<HistoryRow> history = histories.getOrDefault(execution.id(), List.of());
      checkEnd(execution);
      checkTasks(execution, history);
      checkBegins(execution, history, begins.getOrDefault(execution.id(), List.of()));
    }
    checkFires();
    checkMessages();
  }

  private static <T> Map<Long, List<T>> by(List<T> all, Function<T, Long> id) {
    return all.stream().collect(Collectors.groupingBy(id));
  }

  private void violated(String what) {
    violations.add(what);
  }

  private void checkWanted(Collection<String> wanted) {
    Map<String, Integer> times = new HashMap<>();
    facts.executions().forEach(e -> times.merge(e.sequenceId(), 1, Integer::sum));
    for (String sequenceId : wanted) {
      int runs = times.getOrDefault(sequenceId, 0);
      if (runs != 1) {
        violated("sequence " + sequenceId + " has " + runs + " executions, expected 1");
      }
    }
  }

  private void checkEnd(Execution execution) {
    if (!execution.status().equals("finished")) {
      violated(execution + " has not finished");
    }
    if (execution.owned()) {
      violated(execution + " is still held");
    }
  }

  /** Checks that each task was accepted once and in order, and has counted itself once. */
  private void checkTasks(Execution execution, List<HistoryRow> history) {
    List<String> accepted =
        history.stream()
            .filter(historyRow -> historyRow.type().equals(ANSWER))
            .map(HistoryRow::from)
            .toList();
    if (!accepted.equals(tasks)) {
      violated(execution + " has done " + accepted + ", expected " + tasks);
    }
    if (execution.count() != tasks.size()) {
      violated(
          execution + " has the effects of " + execution.count() + " tasks, not " + tasks.size());
    }
    for (int i = 0; i < history.size(); i++) {
      if (history.get(i).seq() != i + 1) {
        violated(execution + " has a gap in its history at " + history.get(i));
      }
    }
  }

  /**
   * Checks that a holder runs a task once under its lease, and never one that has been accepted.
   */
  private void checkBegins(
      Execution execution, List<HistoryRow> history, List<AttemptStart> begins) {
    Set<AttemptStart> seen = new HashSet<>();
    for (AttemptStart attemptStart : begins) {
      if (!seen.add(attemptStart)) {
        violated(attemptStart + " happened twice under one lease");
      }
    }
    for (HistoryRow historyRow : history) {
      if (historyRow.type().equals(ANSWER)) {
        long effects =
            begins.stream()
                .filter(b -> b.seq() == historyRow.seq() && b.state().equals(historyRow.from()))
                .filter(b -> b.leaseVersion() == historyRow.leaseVersion())
                .count();
        if (effects != 1) {
          violated(historyRow + " is the answer of " + effects + " attempts, expected 1");
        }
        begins.stream()
            .filter(b -> b.state().equals(historyRow.from()) && b.seq() > historyRow.seq())
            .forEach(b -> violated(b + " of " + execution + " began after its task was done"));
      }
    }
  }

  /** Checks that no slot of a sequence was fired twice. */
  private void checkFires() {
    Set<String> slots = new HashSet<>();
    Map<Long, Integer> times = new HashMap<>();
    for (Fire fire : facts.fires()) {
      if (!slots.add(fire.sequenceId() + " " + fire.slot())) {
        violated("a slot was fired twice: " + fire);
      }
      if (!fire.endRecorded()) {
        violated("nobody has written down how it ended: " + fire);
      }
      times.merge(fire.executionId(), 1, Integer::sum);
    }
    for (Execution execution : facts.executions()) {
      int fires = times.getOrDefault(execution.id(), 0);
      if (fires != 1) {
        violated(execution + " has " + fires + " fires, expected 1");
      }
    }
    if (times.size() > facts.executions().size()) {
      violated("there are fires without an execution");
    }
  }

  private void checkMessages() {
    if (facts.messages() > 0) {
      violated(facts.messages() + " messages are left in the outbox");
    }
    for (QueueStatus channel : facts.channels()) {
      if (channel.ready() > 0 || channel.deadLetters() > 0) {
        violated("messages are left with the broker: " + channel);
      }
    }
  }
}
