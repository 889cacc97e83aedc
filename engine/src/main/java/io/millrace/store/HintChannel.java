package io.millrace.store;

/**
 * A fast and unreliable channel that tells other processes to look for work. Losing every hint
 * costs only latency.
 */
public interface HintChannel {

  /** No channel. */
  HintChannel NONE =
      new HintChannel() {
        @Override
        public void publish(String executorGroup) {}

        @Override
        public Subscription subscribe(String executorGroup, Runnable onHint) {
          return () -> {};
        }
      };

  /** Ends a subscription when closed. */
  @FunctionalInterface
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  /** Tells the other processes of the group; may block shortly, never throws. */
  void publish(String executorGroup);

  /** Returns false if hints of other processes are known not to arrive here. */
  default boolean isDelivering() {
    return true;
  }

  /** Calls {@code onHint} from a thread of its own for every hint of another process. */
  Subscription subscribe(String executorGroup, Runnable onHint);
}
