package io.millrace.demo;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.LogLine;
import io.millrace.instance.Page;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.sql.SqlStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A replayed history in memory, and an engine that only reads it. */
final class DemoHistory implements AutoCloseable {

  static final Instant END = Instant.parse("2026-06-17T13:20:31Z");

  private static final AtomicInteger NUMBER = new AtomicInteger();

  final HikariDataSource pool;
  final SqlStore store;
  final HistoryReplay.Result made;
  final Engine engine;

  private DemoHistory(
      HikariDataSource pool, SqlStore store, HistoryReplay.Result result, Engine engine) {
    this.pool = pool;
    this.store = store;
    this.made = result;
    this.engine = engine;
  }

  static DemoHistory of(int days) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        "jdbc:h2:mem:demo" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1;QUERY_CACHE_SIZE=256");
    config.setMaximumPoolSize(4);
    HikariDataSource pool = new HikariDataSource(config);
    HistoryReplay.Result result = new HistoryReplay(END, days, null, day -> {}).run(pool);
    SqlStore store = SqlStore.open(pool, SqlStore.Options.DEFAULT);
    Engine engine = Engine.builder().store(store).settings(s -> s.runsInstances(false)).start();
    return new DemoHistory(pool, store, result, engine);
  }

  WorkflowClient client() {
    return engine.client();
  }

  /** Returns all matching instances, the newest first. */
  List<WorkflowInstance> all(InstanceQuery query) {
    List<WorkflowInstance> all = new ArrayList<>();
    InstanceQuery next = query.limit(InstanceQuery.MAX_LIMIT);
    while (true) {
      Page<WorkflowInstance> page = client().search(next);
      all.addAll(page.items());
      if (page.next() == null) {
        return all;
      }
      next = next.after(page.next());
    }
  }

  List<LogLine> lines(long instanceId) {
    return store.logs().lines(instanceId, 0, 100);
  }

  /** Returns every history entry of every instance, without the executors. */
  List<String> dump() {
    return all(InstanceQuery.all()).stream()
        .flatMap(instance -> client().history(instance.id()).stream())
        .map(a -> a.instanceId() + " " + a.type() + a.move() + a.outcome().reason() + a.span())
        .toList();
  }

  @Override
  public void close() {
    engine.close();
    pool.close();
  }
}
