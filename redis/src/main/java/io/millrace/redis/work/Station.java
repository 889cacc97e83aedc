package io.millrace.redis.work;

import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.JobHandler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A queue in this process: its workers, and what they share. Thread-safe. */
final class Station {

  private final Setting setting;
  private final Lane lane;
  private final List<Lane> levels;
  private final Brood brood;
  private final Endings endings;
  private final Failure failure;
  private final Protocol protocol;
  private final Doorbell doorbell;
  private final Verdicts verdicts;
  private final Totals totals = new Totals();
  private final Warnings warnings;
  private final List<QueueWorker> workers = new CopyOnWriteArrayList<>();

  Station(Setting setting, Lane lane, Brood brood, Endings endings) {
    this.setting = setting;
    this.brood = brood;
    this.endings = endings;
    this.lane = lane;
    this.failure = new Failure(setting.json(), lane.name());
    this.levels = lane.levels();
    this.protocol = levels.size() == 1 ? protocol(lane) : new Levels(levels, this::protocol);
    this.doorbell = new Doorbell(setting.redis().blocking(), lane, setting.runtime().clock());
    this.verdicts = new Verdicts(setting, lane);
    this.warnings = new Warnings(setting.runtime().clock());
  }

  private Protocol protocol(Lane level) {
    return setting.isStrict()
        ? new Bare(setting.redis(), level, failure)
        : new Scripted(setting.redis(), level, failure);
  }

  QueueWorker worker(JobHandler handler) {
    return add(new QueueWorker(this, (id, view, job) -> verdicts.of(handler, view, job)));
  }

  /** Makes children and waits for them. */
  QueueWorker parentWorker() {
    return add(new QueueWorker(this, new Parenting(this)));
  }

  private QueueWorker add(QueueWorker worker) {
    workers.add(worker);
    return worker;
  }

  /** A job has ended here, whether it failed or not: somebody may wait for that. */
  void ended(String entry) {
    String key = lane.job(entry);
    brood.ended(key);
    endings.ended(key);
  }

  Brood brood() {
    return brood;
  }

  Setting setting() {
    return setting;
  }

  Lane lane() {
    return lane;
  }

  /** One for each level of urgency that has lists of its own. */
  List<Lane> levels() {
    return levels;
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
