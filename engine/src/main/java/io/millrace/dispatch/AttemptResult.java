package io.millrace.dispatch;

import io.millrace.definition.Next;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The result of a handler's attempt. */
sealed interface AttemptResult {

  Duration took();

  /** Returns the failure without secrets, or null if nothing was thrown. */
  @Nullable Throwable thrown();

  /** The handler returned; {@code next} is null if it broke its contract. */
  record Answered(@Nullable Next next, DefaultStateContext context, Duration took)
      implements AttemptResult {
    @Override
    public @Nullable Throwable thrown() {
      return next instanceof Next.Retry retry && retry.cause() != null
          ? context.redactor().clean(retry.cause())
          : null;
    }
  }

  /**
   * The handler threw, or timed out.
   *
   * @param permanent true if every further attempt would fail in the same way
   */
  record Failed(Throwable failure, Duration took, boolean permanent) implements AttemptResult {
    Failed(Throwable failure, Duration took) {
      this(failure, took, false);
    }

    @Override
    public Throwable thrown() {
      return failure;
    }
  }
}
