package io.millrace.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.rabbitmq.DeadLetters.MoveResult;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests of the result and the log when dead letters are moved back in pieces and one piece fails.
 */
class DeadLetterBatchesTest {

  private final Deque<Integer> pieces = new ArrayDeque<>();
  private int there = 1_000;

  /** Moves as many letters as the next piece says; fails when no piece is left. */
  private int moved(int all) throws IOException {
    return DeadLetters.inPieces(
        "A",
        all,
        most -> {
          Integer next = pieces.poll();
          if (next == null) {
            throw new IOException("The broker has gone.");
          }
          int before = there;
          there -= Math.min(next, most);
          return new MoveResult(Math.min(next, most), before);
        });
  }

  @Test
  void whatWasMovedBeforeAFailureIsTold() throws IOException {
    pieces.addAll(List.of(16, 16, 5));
    assertThat(moved(100)).isEqualTo(37);
  }

  @Test
  void aFailureBeforeTheFirstIsThrown() {
    assertThatThrownBy(() -> moved(100)).hasMessage("The broker has gone.");
  }

  @Test
  void noMoreAreMovedThanAreAskedForOrThere() throws IOException {
    pieces.addAll(List.of(16, 16));
    assertThat(moved(20)).isEqualTo(20);
    pieces.addAll(List.of(16, 0));
    assertThat(moved(20)).isEqualTo(16);
  }

  @Test
  void whatBecomesADeadLetterMeanwhileStays() throws IOException {
    there = 20;
    pieces.addAll(List.of(16, 16, 16));
    assertThat(moved(100)).isEqualTo(20);
    assertThat(pieces).hasSize(1);
  }
}
