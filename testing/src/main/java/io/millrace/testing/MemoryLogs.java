package io.millrace.testing;

import io.millrace.instance.LogLine;
import io.millrace.store.LogStore;
import java.util.List;

/** Log lines in memory; each instance's row keeps its own. */
final class MemoryLogs implements LogStore {

  private final MemoryTables tables;

  MemoryLogs(MemoryTables tables) {
    this.tables = tables;
  }

  @Override
  public void append(List<LogLine> lines) {
    tables.transaction(now -> {
      lines.forEach(this::append);
      return lines.size();
    });
  }

  private void append(LogLine line) {
    MemoryRow row = tables.rows.get(line.instanceId());
    if (row != null) {
      row.log.add(
          new LogLine(
              tables.nextId(),
              row.id,
              line.place(),
              MemoryTimes.truncated(line.at()),
              line.level(),
              MemoryText.logger(line.logger()),
              MemoryText.message(line.message())));
    }
  }

  @Override
  public List<LogLine> lines(long instanceId, long afterId, int limit) {
    return tables.transaction(now -> {
      MemoryRow row = tables.rows.get(instanceId);
      return row == null
          ? List.of()
          : row.log.stream().filter(line -> line.id() > afterId).limit(limit).toList();
    });
  }
}
