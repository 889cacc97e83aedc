package io.millrace.tests.store;

import static io.millrace.tests.store.FaultCase.operation;

import io.millrace.instance.AuditEntry;
import io.millrace.instance.AuditQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.store.StatisticsStore;
import io.millrace.tests.store.FaultCase.Operation;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Fault cases of the server's own data beside the instances. */
final class ServerFaultCases {

  private static final Duration DAY = Duration.ofDays(1);
  private static final AuditEntry LOGIN = new AuditEntry("alice", "login", null, null, null, null);

  private ServerFaultCases() {}

  static Stream<FaultCase> all() {
    return Stream.of(audit(), changes(), statistics()).flatMap(cases -> cases);
  }

  private static Stream<FaultCase> audit() {
    return Stream.of(
        operation(
            "add to the audit trail",
            s ->
                Operation.unless(
                    () -> !s.direct.audit().list(AuditQuery.all()).items().isEmpty(),
                    () -> s.faulty.audit().append(LOGIN))),
        operation(
            "list the audit trail",
            s -> Operation.again(() -> s.faulty.audit().list(AuditQuery.all()))),
        operation(
            "delete from the audit trail",
            s -> {
              s.direct.audit().append(LOGIN);
              s.clock.advance(DAY.plusDays(1));
              s.direct.audit().append(LOGIN);
              return Operation.again(() -> s.faulty.retention().deleteAudit(DAY, 10));
            }));
  }

  private static Stream<FaultCase> changes() {
    return Stream.of(
        operation(
            "add a change",
            s ->
                Operation.unless(
                    () -> s.direct.changes().newest() > 0,
                    () -> s.faulty.changes().append("node", "payload"))),
        operation(
            "read changes",
            s ->
                Operation.again(() -> {
                  s.faulty.changes().newest();
                  s.faulty.changes().after(0, 10);
                })),
        operation(
            "prune changes",
            s -> {
              s.direct.changes().append("node", "old");
              s.clock.advance(DAY.plusDays(1));
              s.direct.changes().append("node", "new");
              return Operation.again(() -> s.faulty.changes().prune(DAY, 10));
            }));
  }

  private static Stream<FaultCase> statistics() {
    return Stream.of(
        operation(
            "roll up",
            s -> {
              rolledUp(s);
              s.ended(s.instance(), InstanceStatus.FINISHED);
              s.clock.advance(DAY.plusDays(2));
              s.ended(s.instance(), InstanceStatus.FAILED);
              s.clock.advance(Duration.ofHours(1));
              return Operation.again(() -> s.faulty.statistics().rollUp(s.clock.instant()));
            }),
        operation(
            "read statistics",
            s -> {
              rolledUp(s);
              return statistics(
                  s,
                  read -> {
                    read.countsByType();
                    read.countsByState(FaultFixture.TYPE);
                    read.failures(null, 10);
                    read.oldestDue();
                    read.timings(FaultFixture.TYPE, 10);
                    read.series(
                        s.clock.instant().minus(DAY), s.clock.instant(), Duration.ofHours(1), null);
                  });
            }),
        operation("read all executors", s -> Operation.again(() -> s.faulty.executors().all(DAY))));
  }

  private static void rolledUp(FaultFixture scene) {
    scene.ended(scene.instance(), InstanceStatus.FINISHED);
    scene.clock.advance(Duration.ofHours(1));
    scene.direct.statistics().rollUp(scene.clock.instant());
  }

  private static Operation statistics(FaultFixture scene, Consumer<StatisticsStore> reads) {
    return Operation.again(() -> reads.accept(scene.faulty.statistics()));
  }
}
