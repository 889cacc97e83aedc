package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.ConflictException;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WakeResult;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of moves that skip the wait for children, or that the definition does not permit. */
class MoveLimitsTest extends EngineFixture {

  private final WorkflowDefinition child =
      WorkflowDefinition.of("child")
          .start("a", ctx -> Next.moveTo("b", "x"))
          .await("b", "go", (ctx, s) -> Next.done("went"))
          .build();

  private final WorkflowDefinition parent =
      WorkflowDefinition.of("parent")
          .start(
              "fork",
              ctx -> {
                ctx.spawn(StartRequest.of("child"));
                return Next.moveAfter("check", Duration.ofHours(1), "forked");
              })
          .state("check", ctx -> Next.waitForChildren("join", "checked"))
          .state(
              "join",
              ctx -> {
                log.add("joined " + ctx.children().open());
                return Next.done("joined");
              })
          .manual("desk")
          .build();

  private final WorkflowDefinition order =
      WorkflowDefinition.of("job")
          .start("work", ctx -> Next.moveAfter("later", Duration.ofHours(1), "x"))
          .state("later", ctx -> Next.moveTo("end", "x"))
          .state("undo", ctx -> Next.moveTo("end", "undone"))
          .state("other", ctx -> Next.moveTo("end", "x"))
          .end("end")
          .permit("work", "later")
          .permit("later", "end")
          .onFailure("later", "undo")
          .build();

  @Test
  void aMoveIntoAJoinIsRefusedWhileChildrenRun() {
    run(child, parent);
    long id = start("parent");
    engine.runUntilIdle();
    assertThatThrownBy(() -> client().move(id, "join", BY_ANN))
        .isInstanceOf(ConflictException.class)
        .hasMessageContainingAll("1 of its 1 children", "'join'", "force");
    engine.advance(Duration.ofHours(1));
    assertThat(get(id).position().awaitsChildren()).isTrue();
    assertThatThrownBy(() -> client().move(id, "join", BY_ANN))
        .isInstanceOf(ConflictException.class);
    engine.runUntilIdle();
    assertThat(log).isEmpty();

    client().move(id, "desk", BY_ANN);
    client().signal(childOf(id), "go");
    engine.runUntilIdle();
    client().move(id, "join", BY_ANN);
    engine.runUntilIdle();
    assertThat(log).containsExactly("joined 0");
  }

  @Test
  void aMoveThatIsNotPermittedIsRefused() {
    run(order);
    long id = startAndRun();
    assertThatThrownBy(() -> client().move(id, "other", BY_ANN))
        .isInstanceOf(ConflictException.class)
        .hasMessageContainingAll("'job'", "'later'", "'other'", "[end, undo]", "force");
    assertThat(history(id)).hasSize(1);

    client().move(id, "undo", BY_ANN);
    client().move(id, "other", BY_ANN);
    assertThat(get(id).state()).isEqualTo("other");
  }

  @Test
  void aForcedMoveIsDoneAndRecordedAsForced() {
    run(child, parent, order);
    long forking = start("parent");
    long ordered = startAndRun();
    client().forceMove(forking, "check", "join", BY_ANN);
    client().forceMove(ordered, null, "other", OperatorAction.by("ann"));
    assertThat(last(forking).outcome().reason()).isEqualTo("forced: because");
    assertThat(last(ordered).outcome().reason()).isEqualTo("forced");
    assertThat(get(ordered).position().reason()).isEqualTo("forced");
    engine.runUntilIdle();
    assertThat(log).containsExactly("joined 1");
  }

  @Test
  void aForceThatWasNotNeededIsNotRecorded() {
    run(order);
    long id = startAndRun();
    client().forceMove(id, "later", "end", BY_ANN);
    assertThat(last(id).outcome().reason()).isEqualTo("because");
  }

  @Test
  void aWakeTellsWhatItHasDone() {
    run(order);
    long id = startAndRun();
    assertThat(client().wake(id, "work", BY_ANN)).isEqualTo(WakeResult.OTHER_STATE);
    assertThat(history(id)).hasSize(1);
    assertThat(client().wake(id, "later", BY_ANN)).isEqualTo(WakeResult.WOKEN);
    engine.runUntilIdle();
    assertThatThrownBy(() -> client().wake(id, "end", BY_ANN))
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining("is finished");
  }

  private long childOf(long id) {
    return client().search(InstanceQuery.all().parent(id)).items().getFirst().id();
  }
}
