package io.millrace.server.events;

import java.util.List;

/**
 * What has changed, so that it can be read again.
 *
 * @param instances ids; empty with {@code more} when there were too many to name
 * @param types of the instances that changed
 * @param more true when more instances changed than are named
 * @param executors true when the list of executors changed
 * @param sequences true when workflows made of tasks changed, fired or went on
 */
record Change(
    List<Long> instances, List<String> types, boolean more, boolean executors, boolean sequences) {

  /** Nothing has changed. */
  static final Change NONE = new Change(List.of(), List.of(), false, false, false);

  /** More instances than this are not named. */
  static final int MOST = 200;

  Change {
    instances = instances == null ? List.of() : List.copyOf(instances);
    types = types == null ? List.of() : List.copyOf(types);
  }
}
