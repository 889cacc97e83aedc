package io.millrace.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.ChildCounts;
import io.millrace.instance.Due;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceDetails;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InstanceTimestamps;
import io.millrace.instance.Lease;
import io.millrace.instance.Origin;
import io.millrace.instance.Position;
import io.millrace.instance.WorkflowInstance;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole table of actions and statuses. */
class OperatorCommandRulesTest {

  private static final OperatorCommand.Move MOVE =
      new OperatorCommand.Move("there", InstanceStatus.IN_PROGRESS, Due.NOW, null, null);

  private static final Map<String, OperatorCommand> ACTIONS =
      Map.of(
          "cancel", new OperatorCommand.Cancel(),
          "pause", new OperatorCommand.Pause(),
          "resume", new OperatorCommand.Resume(),
          "retry", new OperatorCommand.Retry(),
          "wake", new OperatorCommand.Wake(),
          "move", MOVE,
          "editVariables", new OperatorCommand.EditVariables(Map.of()));

  private static WorkflowInstance instance(InstanceStatus status) {
    boolean executing = status == InstanceStatus.EXECUTING;
    InstanceStatus stored = executing ? InstanceStatus.IN_PROGRESS : status;
    Instant now = Instant.EPOCH;
    return new WorkflowInstance(
        7,
        new Origin("job", 1, "g", 4, null, null, null),
        new Position("here", stored, null, 3, now, "signal:s", null),
        new Lease(executing ? 1L : null, 1, 3, 1, 0),
        new InstanceTimestamps(now, now, now, null),
        ChildCounts.NONE,
        new InstanceDetails(0, 0, -1, null, null));
  }

  /**
   * A applies, Q is queued for the holder, - is refused; the statuses are in the order of the enum.
   */
  @ParameterizedTest
  @CsvSource({
    "cancel,        A,A,A,A,A,-,A,-",
    "pause,         A,A,Q,-,-,-,-,-",
    "resume,        -,-,-,A,-,-,-,-",
    "retry,         A,A,-,-,A,-,A,-",
    "wake,          A,A,Q,-,-,-,-,-",
    "move,          A,A,-,A,A,-,A,-",
    "editVariables, A,A,-,A,A,-,A,-"
  })
  void everyActionInEveryStatus(
      String action,
      String created,
      String inProgress,
      String executing,
      String paused,
      String manual,
      String finished,
      String failed,
      String cancelled) {
    String[] expected = {
      created, inProgress, executing, paused, manual, finished, failed, cancelled
    };
    int column = 0;
    for (InstanceStatus status : InstanceStatus.values()) {
      OperatorCommandRules.Effect effect =
          OperatorCommandRules.effectOf(instance(status), ACTIONS.get(action));
      String actual =
          switch (effect) {
            case OperatorCommandRules.Effect.Apply apply -> "A";
            case OperatorCommandRules.Effect.Enqueue enqueue -> "Q";
            case OperatorCommandRules.Effect.Refuse refuse -> {
              assertThat(refuse.message()).contains("Instance 7 is " + status.code(), action);
              yield "-";
            }
          };
      assertThat(actual).as(action + " when " + status).isEqualTo(expected[column++]);
    }
  }

  private static OperatorCommandRules.Effect.Apply apply(InstanceStatus status, String action) {
    return (OperatorCommandRules.Effect.Apply)
        OperatorCommandRules.effectOf(instance(status), ACTIONS.get(action));
  }

  @Test
  void cancelEndsWithoutAnythingToWaitFor() {
    assertThat(apply(InstanceStatus.EXECUTING, "cancel"))
        .isEqualTo(
            new OperatorCommandRules.Effect.Apply(
                "here", InstanceStatus.CANCELLED, new Due.Never(), null, false, false));
  }

  @Test
  void pauseAndResumeLeaveDueTimeAndWaitAlone() {
    assertThat(apply(InstanceStatus.CREATED, "pause"))
        .isEqualTo(
            new OperatorCommandRules.Effect.Apply(
                "here", InstanceStatus.PAUSED, null, "signal:s", false, false));
    assertThat(apply(InstanceStatus.PAUSED, "resume"))
        .isEqualTo(
            new OperatorCommandRules.Effect.Apply(
                "here", InstanceStatus.IN_PROGRESS, null, "signal:s", false, false));
  }

  @Test
  void retryIsFreshAndDueInTheSameVisit() {
    assertThat(apply(InstanceStatus.FAILED, "retry"))
        .isEqualTo(
            new OperatorCommandRules.Effect.Apply(
                "here", InstanceStatus.IN_PROGRESS, Due.NOW, "signal:s", true, false));
  }

  @Test
  void moveIsAFreshVisit() {
    assertThat(apply(InstanceStatus.MANUAL, "move"))
        .isEqualTo(
            new OperatorCommandRules.Effect.Apply(
                "there", InstanceStatus.IN_PROGRESS, Due.NOW, null, true, true));
  }

  @Test
  void wakeAndEditKeepTheStatus() {
    assertThat(apply(InstanceStatus.CREATED, "wake").status()).isEqualTo(InstanceStatus.CREATED);
    assertThat(apply(InstanceStatus.CREATED, "wake").due()).isEqualTo(Due.NOW);
    assertThat(apply(InstanceStatus.FAILED, "editVariables").status())
        .isEqualTo(InstanceStatus.FAILED);
    assertThat(apply(InstanceStatus.FAILED, "editVariables").due()).isNull();
  }

  @Test
  void whatIsQueuedKeepsItsKind() {
    WorkflowInstance executing = instance(InstanceStatus.EXECUTING);
    assertThat(OperatorCommandRules.effectOf(executing, new OperatorCommand.Wake()))
        .isEqualTo(new OperatorCommandRules.Effect.Enqueue(InboxMessage.Kind.WAKE));
    assertThat(OperatorCommandRules.effectOf(executing, new OperatorCommand.Pause()))
        .isEqualTo(new OperatorCommandRules.Effect.Enqueue(InboxMessage.Kind.PAUSE));
  }

  @Test
  void aMoveFromAnotherStateThanExpectedIsRefused() {
    OperatorCommand.Move move =
        new OperatorCommand.Move("there", InstanceStatus.IN_PROGRESS, Due.NOW, null, "elsewhere");
    assertThat(OperatorCommandRules.effectOf(instance(InstanceStatus.MANUAL), move))
        .isInstanceOfSatisfying(
            OperatorCommandRules.Effect.Refuse.class,
            refuse -> assertThat(refuse.message()).contains("'here'", "'elsewhere'", "Look"));
  }
}
