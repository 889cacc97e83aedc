package io.millrace.tests.sequence.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.SaveSpec;
import io.millrace.fixtures.store.ScheduleContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.fixtures.store.StoredSequenceSpec;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.sequence.SequenceStatus;
import io.millrace.store.ChannelMessage;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OutboxStore;
import io.millrace.store.OutboxStore.Message;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.Flags;
import io.millrace.store.SequenceStore.StoredSequence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that the status of a sequence follows from its newest execution, in the program and in the
 * view.
 */
class SequenceStatusContractTest extends ScheduleContract {

  private static final ChannelMessage MESSAGE = new ChannelMessage("channel", Duration.ZERO, false);

  SequenceStatusContractTest(StoreFixture subject) {
    super(subject);
  }

  /** Returns the status, and asserts that the view has the same. */
  private SequenceStatus status(String name) {
    SequenceStatus status = SequenceStatus.of(find(name));
    if (subject.dataSource() != null) {
      assertThat(query("SELECT status FROM millrace_sequence_status WHERE sequence_id = ?", name))
          .containsExactly(status.name());
    }
    return status;
  }

  private List<String> query(String sql, String name) {
    try (Connection connection = subject.dataSource().getConnection();
        PreparedStatement query = connection.prepareStatement(sql)) {
      query.setString(1, id(name));
      ResultSet row = query.executeQuery();
      row.next();
      String[] values = new String[row.getMetaData().getColumnCount()];
      for (int i = 0; i < values.length; i++) {
        values[i] = row.getString(i + 1);
      }
      return Arrays.asList(values);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aSequenceGoesThroughAllOfThem() {
    add(sequence("w").next(now()));
    assertThat(status("w")).isEqualTo(SequenceStatus.NOT_STARTED);
    long id = fireAll().executions().get(id("w"));
    assertThat(status("w")).isEqualTo(SequenceStatus.IN_PROGRESS);
    claimed(id);
    saveAccepted(transitionOf(read(id)).handover(MESSAGE).due(SOON));
    assertThat(status("w")).isEqualTo(SequenceStatus.IN_PROGRESS);
    undeliver();
    assertThat(status("w")).isEqualTo(SequenceStatus.TASK_INITIALIZE_ERROR);
    assertThat(find("w").last().undelivered()).isEqualTo("the broker is away");
    advance(HOUR);
    claimed(id);
    assertThat(status("w")).isEqualTo(SequenceStatus.IN_PROGRESS);
    saveAccepted(transitionOf(read(id)).retry(SECOND));
    assertThat(find("w").last().undelivered()).isNull();
    assertThat(status("w")).isEqualTo(SequenceStatus.ERROR);
    advance(HOUR);
    claimed(id);
    saveAccepted(transitionOf(read(id)).retry(SECOND).end(InstanceStatus.FAILED));
    assertThat(status("w")).isEqualTo(SequenceStatus.ABORTED);
    restart(true);
    assertThat(status("w")).isEqualTo(SequenceStatus.RESTART);
    restart(false);
    applyAccepted(read(id), new OperatorCommand.Retry());
    assertThat(status("w")).isEqualTo(SequenceStatus.IN_PROGRESS);
    end(id, InstanceStatus.FINISHED);
    assertThat(status("w")).isEqualTo(SequenceStatus.COMPLETED);
    store.role(SequenceStore.class).recordEnds(10);
    assertThat(status("w")).isEqualTo(SequenceStatus.COMPLETED);
  }

  private void undeliver() {
    List<Message> messages = store.role(OutboxStore.class).claim(1000, HOUR);
    store
        .role(OutboxStore.class)
        .markFailed(
            messages.stream().map(Message::key).toList(), "the broker is away", Duration.ZERO);
  }

  private void restart(boolean on) {
    Flags flags = new Flags(true, true, false, on, null, null);
    store.role(SequenceStore.class).update(StoredSequenceSpec.of(find("w")).flags(flags).build());
  }

  @Test
  void theViewHasTheSequencesColumns() {
    add(sequence("w").times(now().plusSeconds(90), null).lastEnded(now()));
    add(sequence("none").inactive());
    if (subject.dataSource() == null) {
      assertThat(status("none")).isEqualTo(SequenceStatus.NOT_STARTED);
      return;
    }
    String columns =
        """
        SELECT type, schedule_type, recurs, run_requested, active, status,
          CAST(EXTRACT(EPOCH FROM last_ended_at) AS bigint),
          CAST(EXTRACT(EPOCH FROM next_run_at) AS bigint)
        FROM millrace_sequence_status WHERE sequence_id = ?
        """;

    assertThat(query(columns, "w").toString().replace("TRUE", "t").replace("FALSE", "f"))
        .isEqualTo(
            "[%s, DAILY, t, f, t, NOT_STARTED, %s, %s]"
                .formatted(type, now().getEpochSecond(), now().plusSeconds(90).getEpochSecond()));
    assertThat(query(columns, "none").toString().replace("TRUE", "t").replace("FALSE", "f"))
        .isEqualTo("[%s, DAILY, t, f, f, NOT_STARTED, null, null]".formatted(type));
  }

  /** A random walk meets only transitions that the table allows. */
  @Test
  void everyStepIsAllowed() {
    walk(300);
  }

  @Test
  @Tag("races")
  void everyStepOfALongWalkIsAllowed() {
    walk(1_500);
  }

  private void walk(int steps) {
    Random random = new Random(5);
    add(sequence("w").next(now()));
    SequenceStatus before = SequenceStatus.NOT_STARTED;
    Set<SequenceStatus> seen = EnumSet.of(before);
    for (int i = 0; i < steps; i++) {
      step(random, before);
      SequenceStatus after = status("w");
      assertThat(after == before || before.mayBecome(after))
          .as("step %d from %s to %s", i, before, after)
          .isTrue();
      seen.add(after);
      before = after;
    }
    assertThat(seen).containsExactlyInAnyOrder(SequenceStatus.values());
  }

  private void step(Random random, SequenceStatus status) {
    StoredSequence sequence = find("w");
    WorkflowInstance last = sequence.last() == null ? null : read(sequence.last().executionId());
    boolean held = last != null && last.lease().executorId() != null;
    switch (random.nextInt(12)) {
      case 0 -> {
        if (last == null || last.position().status().isTerminal()) {
          fire(
              firePlan(sequence)
                  .start(
                      now().plusNanos(sequence.revision() * 1_000L),
                      0,
                      instance().handover(MESSAGE)));
        }
      }
      case 1, 2, 3 -> {
        advance(Duration.ofMinutes(2));
        claim(10);
      }
      case 4 -> undeliver();
      case 5 -> store.role(SequenceStore.class).recordEnds(10);
      case 6 -> {
        if (status == SequenceStatus.ABORTED) {
          restart(true);
        }
      }
      case 7 -> {
        if (last != null && random.nextInt(3) == 0) {
          apply(last, new OperatorCommand.Cancel());
        }
      }
      case 8 -> {
        if (last != null && status != SequenceStatus.RESTART) {
          apply(
              last,
              random.nextBoolean() ? new OperatorCommand.Pause() : new OperatorCommand.Resume());
        }
      }
      case 9 -> {
        if (last != null && last.position().status() != InstanceStatus.IN_PROGRESS) {
          apply(last, new OperatorCommand.Retry());
        }
      }
      default -> {
        if (held) {
          save(answer(random, last));
        }
      }
    }
  }

  private static SaveSpec answer(Random random, WorkflowInstance held) {
    return switch (random.nextInt(6)) {
      case 0 -> transitionOf(held).end(InstanceStatus.FINISHED);
      case 1 -> transitionOf(held).retry(SECOND).end(InstanceStatus.FAILED);
      case 2 -> transitionOf(held).retry(SECOND).status(InstanceStatus.MANUAL).due(new Due.Never());
      case 3 -> transitionOf(held).retry(SECOND).handover(MESSAGE);
      default -> transitionOf(held).to("next").due(SOON).handover(MESSAGE);
    };
  }
}
