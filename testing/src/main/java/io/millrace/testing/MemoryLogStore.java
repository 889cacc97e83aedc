package io.millrace.testing;

import io.millrace.instance.LogLine;
import io.millrace.store.LogStore;
import java.util.List;

/** Log lines in memory; each instance's row keeps its own. */
final class MemoryLogStore implements LogStore {

  private final MemoryTables tables;

  MemoryLogStore(MemoryTables tables) {
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
    MemoryInstance row = tables.rows.get(line.instanceId());
    if (row != null) {
      row.log.add(
          new LogLine(
              tables.nextId(),
              row.id,
              line.place(),
              MemoryColumnTimes.truncated(line.at()),
              line.level(),
              MemoryColumnTexts.logger(line.logger()),
              MemoryColumnTexts.message(line.message())));
    }
  }

  @Override
  public List<LogLine> lines(long instanceId, long afterId, int limit) {
    return tables.transaction(now -> {
      MemoryInstance row = tables.rows.get(instanceId);
      return row == null
          ? List.of()
          : row.log.stream().filter(line -> line.id() > afterId).limit(limit).toList();
    });
  }
}
