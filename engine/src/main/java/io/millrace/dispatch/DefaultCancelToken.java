package io.millrace.dispatch;

import io.millrace.definition.CancelToken;
import io.millrace.definition.CancelledException;
import io.millrace.lifecycle.Runner;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The cancel token of one attempt. */
final class DefaultCancelToken implements CancelToken {

  private static final Logger LOG = LoggerFactory.getLogger(DefaultCancelToken.class);

  private final List<Runnable> actions = new ArrayList<>();
  private @Nullable String cause;

  @Override
  public synchronized boolean isCancelled() {
    return cause != null;
  }

  @Override
  public void onCancel(Runnable action) {
    synchronized (this) {
      if (cause == null) {
        actions.add(action);
        return;
      }
    }
    run(action);
  }

  /** Removes an action that {@link #onCancel} added. */
  synchronized void remove(Runnable action) {
    actions.remove(action);
  }

  @Override
  public synchronized void throwIfCancelled() {
    if (cause != null) {
      throw new CancelledException(cause);
    }
  }

  /**
   * Returns the token for handlers. Their actions may block, so each runs on a thread of its own
   * unless the attempt is cancelled already.
   */
  CancelToken forHandler(Runner runner) {
    DefaultCancelToken defaultCancelToken = this;
    return new CancelToken() {
      @Override
      public boolean isCancelled() {
        return defaultCancelToken.isCancelled();
      }

      @Override
      public void onCancel(Runnable action) {
        if (isCancelled()) {
          run(action);
        } else {
          defaultCancelToken.onCancel(
              () -> runner.runOnPlatform("millrace-on-cancel", () -> run(action)));
        }
      }

      @Override
      public void throwIfCancelled() {
        defaultCancelToken.throwIfCancelled();
      }
    };
  }

  /** Cancels the attempt; later calls have no effect. */
  void cancel(String why) {
    List<Runnable> due;
    synchronized (this) {
      if (cause != null) {
        return;
      }
      cause = why;
      due = List.copyOf(actions);
    }
    due.forEach(DefaultCancelToken::run);
  }

  private static void run(Runnable action) {
    try {
      action.run();
    } catch (Throwable e) {
      LOG.warn("An action that a handler registered for its cancellation failed", e);
    }
  }
}
