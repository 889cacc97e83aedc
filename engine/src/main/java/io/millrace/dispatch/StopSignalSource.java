package io.millrace.dispatch;

import io.millrace.definition.StopSignal;
import io.millrace.instance.StopReason;
import io.millrace.lifecycle.Runner;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The signal by which this executor's handlers learn that it stops. */
final class StopSignalSource {

  private static final Logger LOG = LoggerFactory.getLogger(StopSignalSource.class);

  private final Runner runner;
  private volatile @Nullable Notice notice;

  /** The notice of a stop. */
  record Notice(StopReason reason, Instant deadline) {}

  StopSignalSource(Runner runner) {
    this.runner = runner;
  }

  /**
   * Sets the notice for handlers that start from now on; running ones are {@linkplain
   * AttemptSignal#tell told} separately.
   */
  void post(Notice newNotice) {
    notice = newNotice;
  }

  /** Returns the stop signal of one attempt. */
  AttemptSignal reader() {
    return new AttemptSignal();
  }

  final class AttemptSignal implements StopSignal {
    private final List<Runnable> actions = new ArrayList<>();

    @Override
    public boolean requested() {
      return notice != null;
    }

    @Override
    public Optional<Instant> deadline() {
      return Optional.ofNullable(notice).map(Notice::deadline);
    }

    @Override
    public Optional<StopReason> reason() {
      return Optional.ofNullable(notice).map(Notice::reason);
    }

    @Override
    public void onStop(Runnable action) {
      synchronized (this) {
        if (notice == null) {
          actions.add(action);
          return;
        }
      }
      run(action);
    }

    /** Runs the actions that the handler has registered. */
    void tell() {
      List<Runnable> due;
      synchronized (this) {
        due = List.copyOf(actions);
        actions.clear();
      }
      due.forEach(this::run);
    }

    /** Runs an action on a separate thread, since it may block. */
    private void run(Runnable action) {
      runner.runOnPlatform(
          "millrace-on-stop",
          () -> {
            try {
              action.run();
            } catch (Throwable e) {
              LOG.warn(
                  "An action that a handler registered for the stop of its executor failed", e);
            }
          });
    }
  }
}
