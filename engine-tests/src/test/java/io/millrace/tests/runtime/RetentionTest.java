package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Admin;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.FaultyStore;
import io.millrace.instance.AuditEntry;
import io.millrace.instance.AuditQuery;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
import io.millrace.lifecycle.EngineSettings.Retention;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import io.millrace.tests.support.CapturedLog;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests of the engine's own cleanup. */
class RetentionTest {

  private static final WorkflowDefinition JOB =
      WorkflowDefinition.of("job").start("work", ctx -> Next.done("done")).build();

  private static ManualEngine engine(Retention retention) {
    return ManualEngine.with(
        // The tests advance by days, and nothing is due in most hours.
        ManualEngine.defaultSettings()
            .lease(Duration.ofHours(5), Duration.ofHours(1))
            .maxSleep(Duration.ofHours(1))
            .retention(retention),
        MemoryStore::new,
        JOB);
  }

  @Test
  void endedInstancesAreDeletedInBatchesWhenTheirTimeHasCome() {
    try (ManualEngine engine = engine(new Retention(null, Duration.ofDays(1), null, null))) {
      List<StartedInstance> started =
          engine.client().startAll(Collections.nCopies(250, StartRequest.of("job")));
      engine.advance(Duration.ofHours(23));
      assertThat(engine.client().find(started.getFirst().id())).isPresent();
      engine.advance(Duration.ofHours(2));
      assertThat(started).allMatch(s -> engine.client().find(s.id()).isEmpty());
    }
  }

  /** Each sweep fails separately, is logged once, and resumes when it can. */
  @Test
  void aSweepThatFailsKeepsNoOtherFromItsTurn() {
    AtomicReference<FaultyStore> faulty = new AtomicReference<>();
    Retention retention = new Retention(Duration.ofDays(1), null, null, Duration.ofDays(1));
    try (CapturedLog log = new CapturedLog();
        ManualEngine engine =
            ManualEngine.with(
                ManualEngine.defaultSettings().retention(retention),
                clock -> {
                  faulty.set(new FaultyStore(new MemoryStore(clock)));
                  return faulty.get();
                },
                JOB)) {
      long id = engine.client().start(StartRequest.of("job")).id();
      engine.engine().admin().audit(new AuditEntry("ann", "login", null, null, null, null));
      AtomicBoolean broken = new AtomicBoolean(true);
      engine.advance(Duration.ofHours(23));
      for (int i = 0; i < 1_000; i++) {
        faulty.get().failNext("archive", FaultyStore.Fault.LOST_REQUEST, args -> broken.get());
      }

      engine.advance(Duration.ofHours(2));
      assertThat(engine.client().find(id)).isPresent();
      assertThat(engine.engine().admin().audit(AuditQuery.all()).items()).isEmpty();
      assertThat(log.text())
          .contains("the archiving of ended instances failed", "archive was lost");

      broken.set(false);
      engine.advance(Duration.ofMinutes(2));
      assertThat(engine.client().find(id)).isEmpty();
    }
  }

  @Test
  void everythingIsKeptUnlessSaidOtherwise() {
    try (ManualEngine engine = engine(Retention.NONE)) {
      long id = engine.client().start(StartRequest.of("job")).id();
      engine.advance(Duration.ofDays(30));
      assertThat(engine.client().find(id)).isPresent();
    }
  }

  @Test
  void entriesOfTheAuditTrailAreDeletedWhenTheirTimeHasCome() {
    try (ManualEngine engine = engine(new Retention(null, null, null, Duration.ofDays(1)))) {
      Admin admin = engine.engine().admin();
      for (int i = 0; i < 150; i++) {
        admin.audit(new AuditEntry("ann", "login", null, null, null, null));
      }
      engine.advance(Duration.ofHours(23));
      assertThat(admin.audit(AuditQuery.all()).items()).hasSize(100);
      engine.advance(Duration.ofHours(2));
      assertThat(admin.audit(AuditQuery.all()).items()).isEmpty();
    }
  }

  @Test
  void anExternalIdMayBeUsedAgainOnceItsInstanceIsArchived() {
    try (ManualEngine engine = engine(new Retention(Duration.ofHours(1), null, null, null))) {
      StartRequest request = StartRequest.of("job").externalId("A");
      long first = engine.client().start(request).id();
      engine.runUntilIdle();
      assertThat(engine.client().start(request)).isEqualTo(new StartedInstance(first, false));
      engine.advance(Duration.ofHours(2));
      assertThat(engine.client().start(request).created()).isTrue();
    }
  }
}
