package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.Progress;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorStore.CommandResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that uncontrolled texts, such as messages of exceptions, never block a transition. */
class TextContractTest extends StoreContract {

  private static final int SURELY_KEPT = 200;

  TextContractTest(StoreFixture subject) {
    super(subject);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "line\nline\r\n\ttab",
        "äöü €",
        "😀👩‍👩‍👧",
        "\u202Eright to left\u202C",
        "a'b\"c\\d`%_;--",
        "{{}}$1?:x"
      })
  void ordinaryTextComesBackAsItWas(String text) {
    WorkflowInstance after = saveAccepted(transitionOf(startAndClaim()).reason(text).error(text));

    assertThat(after.position().reason()).isEqualTo(text);
    assertThat(lastAction(after).outcome()).isEqualTo(new HistoryEntry.Outcome(text, text, null));
  }

  @Test
  void reasonAndErrorMayContainNul() {
    WorkflowInstance after =
        saveAccepted(transitionOf(startAndClaim()).reason("a\0b").error("c\0d"));

    assertThat(after.position().reason()).startsWith("a").endsWith("b");
    assertThat(lastAction(after).outcome().reason()).isEqualTo(after.position().reason());
    assertThat(lastAction(after).outcome().error()).startsWith("c").endsWith("d");
  }

  @Test
  void reasonAndErrorMayContainHalfOfAPair() {
    WorkflowInstance after =
        saveAccepted(transitionOf(startAndClaim()).reason("a\uD83Db").error("c\uDE00d"));

    assertThat(after.position().reason()).startsWith("a").endsWith("b");
    assertThat(lastAction(after).outcome().error()).startsWith("c").endsWith("d");
  }

  @Test
  void hugeReasonsAndErrorsAreCutBetweenCharacters() {
    for (String unit : new String[] {"x", "€", "😀", "x😀"}) {
      String huge = unit.repeat(300_000);
      WorkflowInstance after = saveAccepted(transitionOf(startAndClaim()).reason(huge).error(huge));

      for (String kept :
          new String[] {after.position().reason(), lastAction(after).outcome().error()}) {
        assertThat(kept).startsWith(huge.substring(0, SURELY_KEPT));
        assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(kept))
            .as("whole characters")
            .isTrue();
      }
    }
  }

  @Test
  void anActionsReasonOfAThousandCharactersIsKeptWhole() {
    String reason = "ä€😀".repeat(250);
    WorkflowInstance it = read(start(instance()));
    assertThat(reason).hasSize(1_000);

    assertThat(
            store
                .operators()
                .apply(
                    it.id(),
                    new OperatorCommand.Pause(),
                    OperatorAction.by("😀".repeat(50), reason)))
        .isInstanceOf(CommandResult.Applied.class);
    assertThat(read(it).position().reason()).isEqualTo(reason);
    assertThat(lastAction(it).author().actor()).isEqualTo("😀".repeat(50));
  }

  @Test
  void theReasonOfAnActionMayContainNul() {
    WorkflowInstance it = read(start(instance()));

    assertThat(
            store
                .operators()
                .apply(it.id(), new OperatorCommand.Pause(), OperatorAction.by("ann", "c\0d")))
        .isInstanceOf(CommandResult.Applied.class);
    assertThat(read(it).status()).isEqualTo(InstanceStatus.PAUSED);
    assertThat(read(it).position().reason()).startsWith("c").endsWith("d");
  }

  @Test
  void progressTextsAreCut() {
    WorkflowInstance after =
        saveAccepted(
            transitionOf(startAndClaim())
                .progress(new Progress(1, 2, "a\0" + "x😀".repeat(100_000))));

    assertThat(after.progress().text()).startsWith("a").contains("x😀x😀");
    assertThat(after.progress().done()).isEqualTo(1);
  }

  @Test
  void oneOddTextDoesNotStopItsNeighbours() {
    WorkflowInstance odd = startAndClaim();
    WorkflowInstance plain = startAndClaim();

    assertThat(
            store
                .instances()
                .save(
                    List.of(
                        transitionOf(odd).reason("\0".repeat(100_000)).error("\uD800").build(),
                        transitionOf(plain).build())))
        .containsExactly(released(0), released(0));
    assertThat(read(plain).seq()).isEqualTo(1);
  }
}
