package io.millrace.data;

import java.util.List;

/**
 * A record that is new or has changed.
 *
 * @param idempotencyKey for the call that processes it elsewhere: the same however often this
 *     change is returned, and another one when the content returns after another was committed, or
 *     after it was forgotten
 * @param ending commits or releases it
 */
public record ReducedRecord<T>(
    T value, ChangeType change, ReduceToken token, String idempotencyKey, Completion ending) {

  /** The end of the work on a record. */
  public interface Completion {
    void commit(List<ReduceToken> tokens);

    void release(ReduceToken token);

    void forget(String keyHash);
  }

  /** Commits the record as it was compared. */
  public void commit() {
    ending.commit(List.of(token));
  }

  /** Releases the record for others. */
  public void release() {
    ending.release(token);
  }
}
