package io.millrace.redis.work;

import java.util.UUID;

/** Names workers. */
final class Ids {

  private Ids() {}

  static String next() {
    return UUID.randomUUID().toString();
  }
}
