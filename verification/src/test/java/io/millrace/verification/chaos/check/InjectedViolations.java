package io.millrace.verification.chaos.check;

import static io.millrace.verification.chaos.check.InjectedViolation.action;
import static io.millrace.verification.chaos.check.InjectedViolation.call;
import static io.millrace.verification.chaos.check.InjectedViolation.drain;
import static io.millrace.verification.chaos.check.InjectedViolation.fault;
import static io.millrace.verification.chaos.check.InjectedViolation.instance;
import static io.millrace.verification.chaos.check.InjectedViolation.line;
import static io.millrace.verification.chaos.check.InjectedViolation.lines;
import static io.millrace.verification.chaos.check.InjectedViolation.rows;
import static io.millrace.verification.chaos.check.InjectedViolation.step;

import java.util.List;
import java.util.stream.Stream;

/** The planted violations, one for every check. Instance 1 is the one that the clean run has. */
final class InjectedViolations {

  private static final String DUE_LONG_AGO =
      "UPDATE millrace_instance SET next_activation_at = to_timestamp("
          + InjectedViolation.EPOCH
          + ")";

  private InjectedViolations() {}

  static Stream<InjectedViolation> all() {
    return Stream.of(histories(), starts(), observed(), whole(), stops(), liveness(), attempts())
        .flatMap(List::stream);
  }

  private static String variable(long id, String name, String value) {
    return "INSERT INTO millrace_variable VALUES (%s, '%s', '%s', NULL);"
        .formatted(id, name, value);
  }

  private static List<InjectedViolation> histories() {
    return List.of(
        rows(
            "the lease version never falls",
            "UPDATE millrace_history SET lease_version = 2 WHERE seq = 1"),
        rows(
            "one executor writes under one lease version",
            "UPDATE millrace_history SET executor_id = 8 WHERE seq = 1"),
        rows(
            "nothing is accepted under a lease that was recovered",
            "UPDATE millrace_history SET type = 'recovery' WHERE seq = 1"),
        rows("seq counts from 1 without gap", "UPDATE millrace_history SET seq = 3 WHERE seq = 2"),
        rows(
            "each action begins where the one before ended",
            "UPDATE millrace_history SET from_state = 'one' WHERE seq = 2"),
        rows("the row agrees with the last action", "UPDATE millrace_instance SET seq = 5"),
        rows(
            "every action belongs to an instance",
            action(99, 1, "stateExecution", "one", "two", 1)));
  }

  private static List<InjectedViolation> starts() {
    return List.of(
        lines("every acknowledged start exists", call("OK", "start", "k9", 9, "")),
        lines(
            "no call is told that a started instance does not exist",
            call("FAIL", "cancel", "k9", 1, "io.millrace.instance.InstanceNotFoundException: 1")),
        rows(
            "everything ends, waits or is parked once faults are over",
            instance(2, "slow", "k2", "inProgress", "")),
        rows(
                "what was started under faults ends in the quiet",
                instance(2, "slow", "k2", "inProgress", ""))
            .with(line("PHASE", 90, "\"phase\":\"QUIET\"")),
        rows(
            "one external id, one instance",
            "DROP INDEX millrace_instance_external_id;"
                + instance(2, "slow", "k1", "finished", "")),
        lines(
            "a repeated start is answered with the same instance",
            call("OK", "start", "k1", 2, "")),
        rows("nothing exists that was not asked for", instance(2, "slow", "k2", "finished", "")));
  }

  private static List<InjectedViolation> observed() {
    return List.of(
        lines(
            "an accepted transition is in the history",
            line(
                "SAVED",
                3,
                "\"id\":1,\"seq\":3,\"lv\":1,\"executor\":7,\"from\":\"end\",\"to\":\"one\"")),
        lines(
            "an acknowledged action is in the history or in the inbox",
            call("OK", "pause", "k9", 1, "")),
        lines("an acknowledged signal is stored once", call("OK", "signal", "k9", 1, "")),
        lines(
            "callers get the documented exceptions only",
            call("UNKNOWN", "start", "k9", 0, "java.lang.NullPointerException")));
  }

  private static List<InjectedViolation> whole() {
    return List.of(
        rows(
            "a variable agrees with the history",
            instance(2, "chain", "k2", "finished", variable(2, "n", "3"))),
        rows(
            "the stored result of an effect is one that happened",
            instance(2, "chain", "k2", "finished", variable(2, "token", "\"t\""))),
        rows(
            "children come with the transition that started them",
            instance(2, "family", "k2", "finished", "")
                + action(2, 1, "stateExecution", "spawn", "join", 1)),
        rows(
            "the count of open children is right",
            instance(2, "family", "k2", "finished", "")
                + "UPDATE millrace_instance SET open_child_count = 2 WHERE id = 2"),
        rows(
            "a parent goes on when all children have ended",
            instance(2, "family", "k2", "finished", variable(2, "open", "1"))),
        rows(
            "a signal is consumed by an accepted transition",
            "INSERT INTO millrace_message (instance_id, kind, name, sent_at, consumed_seq)"
                + " VALUES (1, 'signal', 'go', now(), 9)"),
        rows(
            "what a handler took is what was consumed",
            instance(2, "signal", "k2", "finished", variable(2, "came", "true"))));
  }

  private static List<InjectedViolation> stops() {
    String fenced = line("FENCED", 5, "\"node\":\"node1\",\"pid\":100,\"id\":1,\"lv\":1");
    return List.of(
        lines("no step starts once the transition is accepted", step("START", 10, 1, 0, 1)),
        lines("no step starts under a lease known to be lost", fenced, step("START", 10, 1, 2, 1)),
        lines(
            "a handler that heeds its interrupt is gone within a second",
            step("START", 4, 1, 2, 1),
            fenced,
            step("END", 8, 1, 2, 1)),
        lines(
            "steps overlap only where one was frozen or deaf",
            step("START", 4, 1, 2, 1),
            step("START", 10, 1, 2, 2),
            step("END", 20, 1, 2, 1)));
  }

  private static List<InjectedViolation> liveness() {
    String recovery =
        action(1, 3, "recovery", "end", "end", 1)
            + "UPDATE millrace_history SET ended_at = to_timestamp(%s) WHERE seq = 3"
                .formatted(InjectedViolation.EPOCH + 40);
    return List.of(
        rows(
            "nothing is owned when all nodes have stopped",
            "UPDATE millrace_instance SET executor_id = 7"),
        rows("nothing stays due", instance(2, "slow", "k2", "created", DUE_LONG_AGO)),
        rows(
            "no parent waits for ended children",
            instance(2, "family", "k2", "inProgress", "")
                + "UPDATE millrace_instance SET waiting_for = 'children' WHERE id = 2"),
        rows("what a killed node held starts again within 20 s", recovery)
            .with(step("START", 29, 1, 2, 1), fault("KILL", 30, 31), step("START", 60, 1, 3, 2)),
        rows("what a killed node held starts again at all", recovery)
            .with(step("START", 29, 1, 2, 1), fault("KILL", 30, 31)),
        lines("a drained node owns nothing", drain(143, 3)),
        lines("a drain ends in time and in good order", drain(1, 0)),
        rows("nothing is recovered from a drained node", recovery)
            .with(step("START", 19, 1, 2, 1), drain(143, 0)),
        rows("a drain counts no failure", action(1, 21, "stateExecutionFailed", "one", "one", 1))
            .with(
                line("READY", 0, "\"node\":\"node1\",\"pid\":100,\"executor\":7"), drain(143, 0)));
  }

  private static List<InjectedViolation> attempts() {
    String ring = step("START", 1.1, 2, 1, 1).replace("\"slow\"", "\"timer\"");
    return List.of(
        lines("a lease starts a step once", step("START", 0.6, 1, 0, 1)),
        rows(
            "an instance that kills its holders is not run again and again",
            "INSERT INTO millrace_history (instance_id, seq, type, from_state, to_state,"
                + " lease_version, attempt, started_at, ended_at)"
                + " SELECT 1, n, 'recovery', 'end', 'end', 1, 0, now(), now()"
                + " FROM generate_series(3, 6) n"),
        rows(
            "nothing is parked that did not kill its holders",
            "UPDATE millrace_instance SET status = 'manual'"),
        rows("poison is parked", instance(2, "poison", "k2", "inProgress", DUE_LONG_AGO)),
        lines(
            "no node dies of anything but poison",
            line("NODE_DIED", 9, "\"name\":\"node1\",\"process\":100,\"code\":1")),
        rows(
                "no timer fires early",
                instance(2, "timer", "k2", "finished", "")
                    + action(2, 1, "stateExecution", "arm", "ring", 1))
            .with(ring.replace("\"one\"", "\"ring\"")),
        rows(
                "no retry comes before its back-off",
                instance(2, "flaky", "k2", "finished", "")
                    + action(2, 1, "stateExecutionFailed", "try", "try", 1))
            .with(ring.replace("\"timer\"", "\"flaky\"")));
  }
}
