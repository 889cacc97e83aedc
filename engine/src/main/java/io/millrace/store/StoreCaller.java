package io.millrace.store;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The caller of a store, and the way its requests take. */
public interface StoreCaller {

  /** Caller that sends requests at once, on the calling thread, without a fence. */
  StoreCaller DIRECT =
      new StoreCaller() {
        @Override
        public <T> T call(Supplier<T> request) {
          return request.get();
        }

        @Override
        public @Nullable Fence fence() {
          return null;
        }

        @Override
        public @Nullable String nextWriteId() {
          return null;
        }

        @Override
        public RuntimeException fencedException(String what) {
          return new IllegalStateException(what + " was fenced without a fence");
        }
      };

  /** Sends a request to the store and returns its result. */
  <T> T call(Supplier<T> request);

  /** Returns the fence of writes; null for none. */
  @Nullable Fence fence();

  /**
   * Returns an id for a write that is retried after a lost reply; null if writes are not retried.
   */
  @Nullable String nextWriteId();

  /** Returns the exception to throw when the fence does not hold. */
  RuntimeException fencedException(String what);
}
