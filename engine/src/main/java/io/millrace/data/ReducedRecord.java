package io.millrace.data;

import java.util.List;

/**
 * A record that is new or has changed.
 *
 * @param idempotencyKey for the call that takes it elsewhere: the same however often this change is
 *     passed on, and another one when the content returns after another was committed, or after it
 *     was forgotten
 * @param ending ends it
 */
public record ReducedRecord<T>(
    T value, ChangeType change, ReduceToken token, String idempotencyKey, Completion ending) {

  /** How work on a record ends. */
  public interface Completion {
    void commit(List<ReduceToken> tokens);

    void release(ReduceToken token);

    void forget(String keyHash);
  }

  /** It was dealt with, as it was when it was compared. */
  public void commit() {
    ending.commit(List.of(token));
  }

  /** It was not dealt with: others may have it now. */
  public void release() {
    ending.release(token);
  }
}
