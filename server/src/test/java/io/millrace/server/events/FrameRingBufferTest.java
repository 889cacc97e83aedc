package io.millrace.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests the last frames, however far behind a reader is. */
final class FrameRingBufferTest {

  private final FrameRingBuffer frameRingBuffer = new FrameRingBuffer(3);

  private void add(long firstId, long lastId) {
    frameRingBuffer.add(EventFrame.of(firstId, lastId, ChangeSummary.NONE));
  }

  @Test
  void aReaderThatIsTooFarBehindIsLetGo() throws InterruptedException {
    for (int id = 1; id <= 4; id++) {
      add(id, id);
    }
    assertThat(frameRingBuffer.await(0, Duration.ZERO, 0))
        .isInstanceOf(FrameRingBuffer.ReadResult.Over.class);
    assertThat(frameRingBuffer.await(1, Duration.ZERO, 0))
        .isInstanceOfSatisfying(
            FrameRingBuffer.ReadResult.Ready.class,
            ready -> assertThat(ready.frame().lastId()).isEqualTo(2));
    assertThat(frameRingBuffer.await(4, Duration.ZERO, 0))
        .isInstanceOf(FrameRingBuffer.ReadResult.Quiet.class);
  }

  @Test
  void onlyWhatIsWhollyKnownIsReplayed() {
    add(1, 5);
    add(6, 9);
    assertThat(frameRingBuffer.after(3)).extracting(EventFrame::lastId).containsExactly(5L, 9L);
    assertThat(frameRingBuffer.after(9)).isEmpty();
    assertThat(frameRingBuffer.after(Long.MAX_VALUE)).isNull();
    add(10, 10);
    add(11, 11);
    assertThat(frameRingBuffer.after(4)).as("frame 1 to 5 is gone").isNull();
    assertThat(frameRingBuffer.after(5))
        .extracting(EventFrame::lastId)
        .containsExactly(9L, 10L, 11L);
    frameRingBuffer.clear();
    assertThat(frameRingBuffer.after(10)).isNull();
  }
}
