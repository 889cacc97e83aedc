package io.millrace.data;

import java.time.Duration;
import java.util.List;

/**
 * Passes on those records of a source that are new or have changed since they were last committed.
 * Only hashes are stored. Immutable: the methods that say how records are compared answer with a
 * changed copy; all who share a group compare in the same way.
 *
 * <p>Without a key a group is the set of all contents ever committed, and one that returns is
 * passed over. With a key it holds the last content of each key, and one that returns is passed on.
 *
 * <p>Meant for master data, to save work. It is no protection from doing a transaction twice: use
 * {@link PeriodLedger}, or {@link KeyValues#setIfAbsent}, and an idempotency key.
 *
 * <p>Used by a handler, commits happen with the handler's answer, in its transaction; a handler
 * that throws commits nothing. Outside of handlers they happen at once.
 */
public interface Reduce {

  /**
   * Tells records apart by a part of them.
   *
   * @param path relative to the record: a JSON pointer such as {@code /id}, or a path such as
   *     {@code $.id}; for XML an XPath
   */
  Reduce key(String path);

  /** Parts that do not count as changes, such as {@code /lastModified}. */
  Reduce ignore(String... paths);

  /** The only parts that count as changes. */
  Reduce only(String... paths);

  /**
   * Compares records as they are written; otherwise the order of members and attributes, white
   * space and ways to write a number do not count.
   */
  Reduce asWritten();

  /** Hashes under a secret key, so that nobody can guess contents from hashes. */
  Reduce secret(byte[] key);

  /** Keeps others from the records that are passed on, until they are committed or released. */
  Reduce reserve(Duration lease);

  /**
   * Forgets what was committed longer ago, whether it has come since or not: it is then new. What
   * is reserved stays.
   *
   * @param time positive
   */
  Reduce retention(Duration time);

  /**
   * Keeps only the records that were committed last. The others are forgotten with the next
   * comparison.
   *
   * @param most 0 for all
   */
  Reduce maxEntries(long most);

  /**
   * The records are all that the source has: what was committed and is not among them is passed on
   * as deleted. Needs a key.
   *
   * @param maxDeletePercent how much of what was committed may be missing, 0 to 100; with more, a
   *     source that was read in part only is assumed, and nothing is passed on
   */
  Reduce detectDeletions(int maxDeletePercent);

  /**
   * Compares records, and passes on those that are due.
   *
   * @throws io.millrace.instance.InvalidRequestException when too many are missing
   */
  <T> Reduction<T> reduce(List<T> records);

  /**
   * Does an action with a document, and answers with the document of those records that it passes
   * on.
   *
   * @throws io.millrace.instance.InvalidRequestException when the document cannot be read, or a
   *     record has no key: its message names the record
   */
  String document(ReduceAction action, ReduceSource source, String document);

  /**
   * Forgets all that was committed, so that everything is new again.
   *
   * @return the group's new generation
   */
  int reset();

  /**
   * Forgets what was committed of some keys.
   *
   * @return how many there were
   */
  int forget(List<String> keys);
}
