package io.millrace.redis.work;

import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.JobHandler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A queue in this process: its workers, and what they share. Thread-safe. */
final class Station {

  private final Setting setting;
  private final Lane lane;
  private final Failure failure;
  private final Protocol protocol;
  private final Doorbell doorbell;
  private final Verdicts verdicts;
  private final Totals totals = new Totals();
  private final Warnings warnings;
  private final List<QueueWorker> workers = new CopyOnWriteArrayList<>();

  Station(Setting setting, Lane lane) {
    this.setting = setting;
    this.lane = lane;
    this.failure = new Failure(setting.json(), lane.name());
    this.protocol =
        setting.isStrict()
            ? new Bare(setting.redis(), lane, failure)
            : new Scripted(setting.redis(), lane, failure);
    this.doorbell = new Doorbell(setting.redis().blocking(), lane, setting.runtime().clock());
    this.verdicts = new Verdicts(setting, lane);
    this.warnings = new Warnings(setting.runtime().clock());
  }

  QueueWorker worker(JobHandler handler) {
    QueueWorker worker = new QueueWorker(this, handler);
    workers.add(worker);
    return worker;
  }

  Setting setting() {
    return setting;
  }

  Lane lane() {
    return lane;
  }

  Failure failure() {
    return failure;
  }

  Protocol protocol() {
    return protocol;
  }

  Doorbell doorbell() {
    return doorbell;
  }

  Verdicts verdicts() {
    return verdicts;
  }

  Totals totals() {
    return totals;
  }

  Warnings warnings() {
    return warnings;
  }

  List<QueueWorker> workers() {
    return workers;
  }

  FlowEvent.Place place(String entry) {
    return new FlowEvent.Place(lane.flow(), lane.name(), lane.id(entry));
  }

  void close() {
    doorbell.close();
  }
}
