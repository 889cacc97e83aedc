package io.millrace;

import io.millrace.continuous.ContinuousEngine;
import io.millrace.sequence.SequenceEngine;
import java.time.Duration;

/** What starts instances by itself. */
record Feeders(SequenceEngine sequences, ContinuousEngine continuous) {

  /** Starts nothing more; what runs goes on. */
  void stop(Duration patience) {
    continuous.stop(patience);
    sequences.stop(patience);
  }

  /** For when all handlers have ended. */
  void close(Duration patience) {
    sequences.close(patience);
  }
}
