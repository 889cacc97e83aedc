package io.millrace.tests.store;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.store.Store;
import io.millrace.testing.SettableClock;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Stream;

/** A store with its clock, opened when the first test asks for it and closed after the last one. */
final class StoreFixture implements AutoCloseable {

  private static final Instant START = Instant.parse("2026-03-01T12:00:00.125Z");

  private final StoreKind kind;
  private final SettableClock clock = SettableClock.at(START);
  private StoreKind.OpenStore open;

  StoreFixture(StoreKind kind) {
    this.kind = kind;
  }

  /** Returns a fixture for each kind of store. */
  static Stream<StoreFixture> all() {
    return Arrays.stream(StoreKind.values()).map(StoreFixture::new);
  }

  Store store() {
    return open().store();
  }

  /** Returns the connections of a SQL store; null for the memory store. */
  HikariDataSource dataSource() {
    return open().dataSource();
  }

  private StoreKind.OpenStore open() {
    if (open == null) {
      open = kind.open(clock);
    }
    return open;
  }

  StoreKind kind() {
    return kind;
  }

  SettableClock clock() {
    return clock;
  }

  @Override
  public void close() {
    if (open != null) {
      open.close();
    }
  }

  @Override
  public String toString() {
    return kind.toString();
  }
}
