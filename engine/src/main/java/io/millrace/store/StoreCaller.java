package io.millrace.store;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** On whose behalf a store is asked, and by which way. */
public interface StoreCaller {

  /** Nobody's: asks at once, on the thread it is called on, without a fence. */
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

  /** Asks, and answers when the store has. */
  <T> T call(Supplier<T> request);

  /** Under which writes happen; null for none. */
  @Nullable Fence fence();

  /** Names a write, so that it is known when it is repeated; null when none is. */
  @Nullable String nextWriteId();

  /** Returns the exception to throw when the fence does not hold. */
  RuntimeException fencedException(String what);
}
