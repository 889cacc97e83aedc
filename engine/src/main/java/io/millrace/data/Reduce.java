package io.millrace.data;

import java.time.Duration;
import java.util.List;

/**
 * A filter that returns the records of a source that are new or have changed since they were last
 * committed. Only hashes are stored. Immutable: the methods that configure the comparison return a
 * changed copy. All users of a group must compare in the same way.
 *
 * <p>Without a key a group is the set of all contents ever committed, and a content that returns is
 * skipped. With a key it holds the last content of each key, and a content that returns is new
 * again.
 *
 * <p>Meant for master data, to save work. It does not prevent a transaction from being done twice:
 * use {@link PeriodLedger}, or {@link KeyValues#setIfAbsent}, and an idempotency key.
 *
 * <p>In a handler, commits happen with the handler's answer, in its transaction; a handler that
 * throws commits nothing. Outside of handlers they happen at once.
 */
public interface Reduce {

  /**
   * Identifies records by a part of them.
   *
   * @param path relative to the record: a JSON pointer such as {@code /id}, or a path such as
   *     {@code $.id}; for XML an XPath
   */
  Reduce key(String path);

  /** Ignores changes in these parts, such as {@code /modified}. */
  Reduce ignore(String... paths);

  /** Compares these parts only. */
  Reduce only(String... paths);

  /**
   * Compares the text of records. Otherwise the order of members and attributes, white space and
   * number formats do not count.
   */
  Reduce asWritten();

  /** Hashes with a secret key, so that contents cannot be guessed from hashes. */
  Reduce secret(byte[] key);

  /**
   * Reserves the returned records until they are committed or released, so that others skip them.
   */
  Reduce reserve(Duration lease);

  /**
   * Forgets what was committed longer ago, even if it has come since; it is then new. Reservations
   * stay.
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
   * Treats the records as all that the source has: a committed record that is missing is returned
   * as deleted. Needs a key.
   *
   * @param maxDeletePercent how much of what was committed may be missing, 0 to 100. If more is
   *     missing, the source was probably read in part only, and nothing is returned
   */
  Reduce detectDeletions(int maxDeletePercent);

  /**
   * Compares records and returns those that are due.
   *
   * @throws io.millrace.instance.InvalidRequestException if too many are missing
   */
  <T> Reduction<T> reduce(List<T> records);

  /**
   * Performs an action on the records of a document and returns the document with the records that
   * are due.
   *
   * @throws io.millrace.instance.InvalidRequestException if the document cannot be read, or a
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
   * @return number of keys that were known
   */
  int forget(List<String> keys);
}
