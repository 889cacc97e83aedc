package io.millrace.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every rule for definitions; each message names the workflow, the state and the remedy. */
class WorkflowDefinitionBuilderTest {

  enum State {
    BEGIN,
    WORK,
    OVER
  }

  private static final StateHandler HANDLER = ctx -> Next.done("x");

  private static WorkflowDefinitionBuilder<String> flow() {
    return WorkflowDefinition.of("flow").start("begin", HANDLER);
  }

  private static void assertRefused(WorkflowDefinitionBuilder<?> builder, String... texts) {
    assertThatThrownBy(builder::build)
        .isInstanceOf(DefinitionException.class)
        .hasMessageContainingAll(texts);
  }

  @Test
  void theSmallestWorkflowIsOneStartState() {
    WorkflowDefinition flow = flow().build();
    assertThat(flow.startState().name()).isEqualTo("begin");
    assertThat(flow.version()).isEqualTo(1);
    assertThat(flow.description()).isEmpty();
    assertThat(flow).hasToString("flow version 1");
  }

  @Test
  void statesKeepTheOrderOfTheirDeclaration() {
    WorkflowDefinition flow = flow().manual("z").end("a").state("m", HANDLER).build();
    assertThat(flow.states().keySet()).containsExactly("begin", "z", "a", "m");
    assertThat(flow.state("z").type()).isEqualTo(StateType.MANUAL);
    assertThat(flow.state("none")).isNull();
  }

  @Test
  void theFirstStartStateIsWhereInstancesBegin() {
    WorkflowDefinition flow = flow().start("other", HANDLER).build();
    assertThat(flow.startState().name()).isEqualTo("begin");
  }

  @Test
  void enumConstantsNameStates() {
    WorkflowDefinition flow =
        WorkflowDefinition.of("flow", State.class)
            .start(State.BEGIN, HANDLER)
            .state(State.WORK, HANDLER)
            .end(State.OVER)
            .permit(State.BEGIN, State.WORK)
            .permit(State.WORK, State.OVER)
            .onFailure(State.WORK, State.OVER)
            .build();
    assertThat(flow.states().keySet()).containsExactly("BEGIN", "WORK", "OVER");
    assertThat(flow.state("WORK").failureState()).isEqualTo("OVER");
  }

  @Test
  void everyEnumConstantNeedsADeclaration() {
    assertRefused(
        WorkflowDefinition.of("flow", State.class).start(State.BEGIN, HANDLER).end(State.OVER),
        "Workflow 'flow'",
        "state 'WORK'",
        "declare it with start, state, await, manual or end");
  }

  @Test
  void aWorkflowNeedsAStart() {
    assertRefused(
        WorkflowDefinition.of("flow").state("work", HANDLER),
        "Workflow 'flow'",
        "no start state",
        "declare one with start(...)");
  }

  @Test
  void anEmptyWorkflowNeedsAStart() {
    assertRefused(WorkflowDefinition.of("flow"), "Workflow 'flow'", "no start state");
  }

  @Test
  void aStateIsDeclaredOnce() {
    assertThatThrownBy(() -> flow().end("begin"))
        .isInstanceOf(DefinitionException.class)
        .hasMessageContainingAll("Workflow 'flow'", "state 'begin'", "declared twice");
  }

  @Test
  void anUnreachableStateIsRefused() {
    assertRefused(
        flow().state("lost", HANDLER).end("end").permit("begin", "end"),
        "Workflow 'flow'",
        "state 'lost' cannot be reached",
        "permit a transition to it or remove it");
  }

  @Test
  void aCircleThatTheStartCannotEnterIsUnreachable() {
    assertRefused(
        flow()
            .state("a", HANDLER)
            .state("b", HANDLER)
            .end("end")
            .permit("begin", "end")
            .permit("a", "b")
            .permit("b", "a"),
        "state 'a' cannot be reached");
  }

  @Test
  void aFailureTransitionReachesItsState() {
    WorkflowDefinition flow =
        flow().manual("desk").end("end").permit("begin", "end").onFailure("desk").build();
    assertThat(flow.state("begin").failureState()).isEqualTo("desk");
    assertThat(flow.state("desk").failureState()).isNull();
  }

  @Test
  void aStateWithoutTransitionsMayGoEverywhere() {
    assertThat(flow().state("a", HANDLER).end("end").build().permits("begin", "end")).isTrue();
  }

  @Test
  void anEndStateLeadsNowhere() {
    assertRefused(
        flow().end("end").permit("end", "begin"),
        "Workflow 'flow'",
        "end state 'end'",
        "'begin'",
        "leads nowhere");
  }

  @Test
  void aTransitionToAnUndeclaredStateIsRefused() {
    assertRefused(
        flow().permit("begin", "ghost"), "Workflow 'flow'", "'begin'", "'ghost'", "not declared");
  }

  @Test
  void aTransitionFromAnUndeclaredStateIsRefused() {
    assertRefused(flow().permit("ghost", "begin"), "Workflow 'flow'", "'ghost'", "not declared");
  }

  @Test
  void aFailureTransitionToAnUndeclaredStateIsRefused() {
    assertRefused(flow().onFailure("begin", "ghost"), "Workflow 'flow'", "'ghost'", "not declared");
    assertRefused(flow().onFailure("ghost"), "Workflow 'flow'", "'ghost'", "not declared");
  }

  @Test
  void aFailureTransitionToItselfIsRefused() {
    assertRefused(
        flow().onFailure("begin", "begin"), "Workflow 'flow'", "state 'begin'", "leads to itself");
  }

  @Test
  void optionsOfUndeclaredStatesAreRefused() {
    assertRefused(
        flow().retry("ghost", RetryPolicy.never()), "Workflow 'flow'", "'ghost'", "not declared");
    assertRefused(flow().timeout("ghost", Duration.ofSeconds(1)), "Workflow 'flow'", "'ghost'");
    assertRefused(flow().onFailure("ghost", "begin"), "Workflow 'flow'", "'ghost'");
  }

  @Test
  void aTimeoutNeedsAHandler() {
    assertRefused(
        flow().manual("desk").timeout("desk", Duration.ofSeconds(1)),
        "Workflow 'flow'",
        "state 'desk'",
        "timeout but no handler");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1})
  void aTimeoutIsPositive(long seconds) {
    assertRefused(
        flow().timeout("begin", Duration.ofSeconds(seconds)),
        "Workflow 'flow'",
        "timeout of state 'begin'",
        "more than zero");
  }

  @Test
  void aNegativeWaitIsRefused() {
    assertRefused(
        flow().await("wait", "sig", Duration.ofSeconds(-1), (ctx, s) -> Next.done("x")),
        "Workflow 'flow'",
        "'wait'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\0b", "a\uD83D"})
  void aSignalNameThatNobodyCanSendIsRefused(String signal) {
    assertRefused(
        flow().await("wait", signal, (ctx, s) -> Next.done("x")), "Workflow 'flow'", "'wait'");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void versionsBeginWithOne(int version) {
    assertRefused(flow().version(version), "Workflow 'flow'", "version is " + version, "1 or more");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "-a", "a b", "ä", "a/b", "a\n", "<b>"})
  void badNamesAreRefused(String name) {
    assertRefused(
        WorkflowDefinition.of(name).start("begin", HANDLER),
        "Workflow '" + name + "'",
        "at most 99 letters");
    assertRefused(
        flow().state(name, HANDLER), "Workflow 'flow'", "state name '" + name + "'", "expected");
  }

  @Test
  void namesHaveAtMostAHundredCharacters() {
    assertThat(flow().state("x".repeat(100), HANDLER).build().states()).hasSize(2);
    assertRefused(flow().state("x".repeat(101), HANDLER), "state name");
  }

  @Test
  void permitsKnowsDeclaredTransitionsOnly() {
    WorkflowDefinition flow =
        flow()
            .state("a", HANDLER)
            .manual("desk")
            .end("end")
            .permit("begin", "a", "end")
            .permit("a", "end")
            .onFailure("a", "desk")
            .build();
    assertThat(flow.permits("begin", "a")).isTrue();
    assertThat(flow.permits("begin", "begin")).isFalse();
    assertThat(flow.permits("a", "desk")).isFalse();
    assertThat(flow.permits("desk", "begin")).isTrue();
    assertThat(flow.transitions()).contains(new Transition("a", "desk", true));
  }

  @Test
  void ownOptionsBeatThoseOfTheWorkflow() {
    WorkflowDefinition flow =
        flow()
            .state("a", HANDLER)
            .manual("desk")
            .manual("own")
            .retry(RetryPolicy.never())
            .retry("a", WorkflowDefinitionBuilder.DEFAULT_RETRY)
            .onFailure("desk")
            .onFailure("a", "own")
            .build();
    assertThat(flow.state("begin").retry()).isEqualTo(RetryPolicy.never());
    assertThat(flow.state("a").retry()).isEqualTo(WorkflowDefinitionBuilder.DEFAULT_RETRY);
    assertThat(flow.state("begin").failureState()).isEqualTo("desk");
    assertThat(flow.state("a").failureState()).isEqualTo("own");
  }

  @Test
  void aDefinitionDoesNotChangeWithItsBuilder() {
    WorkflowDefinitionBuilder<String> builder = flow();
    WorkflowDefinition first = builder.build();
    WorkflowDefinition second = builder.end("end").version(2).build();
    assertThat(first.states()).hasSize(1);
    assertThat(second.states()).hasSize(2);
    assertThatThrownBy(() -> first.states().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
