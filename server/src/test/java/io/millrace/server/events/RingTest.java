package io.millrace.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The last frames, however far behind a reader is. */
final class RingTest {

  private final Ring ring = new Ring(3);

  private void add(long firstId, long lastId) {
    ring.add(Frame.of(firstId, lastId, Change.NONE));
  }

  @Test
  void aReaderThatIsTooFarBehindIsLetGo() throws InterruptedException {
    for (int id = 1; id <= 4; id++) {
      add(id, id);
    }
    assertThat(ring.await(0, Duration.ZERO)).isInstanceOf(Ring.Next.Over.class);
    assertThat(ring.await(1, Duration.ZERO))
        .isInstanceOfSatisfying(
            Ring.Next.Ready.class, ready -> assertThat(ready.frame().lastId()).isEqualTo(2));
    assertThat(ring.await(4, Duration.ZERO)).isInstanceOf(Ring.Next.Quiet.class);
  }

  @Test
  void onlyWhatIsWhollyKnownIsReplayed() {
    add(1, 5);
    add(6, 9);
    assertThat(ring.after(3)).extracting(Frame::lastId).containsExactly(5L, 9L);
    assertThat(ring.after(9)).isEmpty();
    assertThat(ring.after(Long.MAX_VALUE)).isNull();
    add(10, 10);
    add(11, 11);
    assertThat(ring.after(4)).as("frame 1 to 5 is gone").isNull();
    assertThat(ring.after(5)).extracting(Frame::lastId).containsExactly(9L, 10L, 11L);
    ring.clear();
    assertThat(ring.after(10)).isNull();
  }
}
