package io.millrace.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of callers, and the codes of stored values. */
class RequestsTest {

  @ParameterizedTest
  @ValueSource(ints = {-1, 10})
  void prioritiesAreZeroToNine(int priority) {
    assertThatThrownBy(() -> StartRequest.of("job").priority(priority))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll("'job'", "priority is " + priority, "0 (last) to 9 (first)");
  }

  @Test
  void aStartKeepsWhatWasSaidBefore() {
    StartRequest request =
        StartRequest.of("job", "in")
            .version(2)
            .variable("a", 1)
            .variable("b", 2)
            .variable("a", 3)
            .businessKey("bk")
            .externalId("ex")
            .priority(9)
            .at(Instant.EPOCH);
    assertThat(request.variables()).containsEntry("a", 3).containsEntry("b", 2).hasSize(2);
    assertThat(request.keys()).isEqualTo(new StartRequest.Keys("bk", "ex"));
    assertThat(request.due()).isEqualTo(new Due.At(Instant.EPOCH));
    assertThat(request.version()).isEqualTo(2);
    assertThat(request.input()).isEqualTo("in");
    assertThat(request.priority()).isEqualTo(9);
  }

  @Test
  void aStartIsNotChangedByItsCopies() {
    StartRequest request = StartRequest.of("job");
    assertThat(request.variable("a", 1)).isNotEqualTo(request);
    assertThat(request.variables()).isEmpty();
    assertThat(request.priority()).isEqualTo(StartRequest.DEFAULT_PRIORITY);
    assertThat(request.due()).isEqualTo(Due.NOW);
  }

  @Test
  void aNegativeDelayIsRefused() {
    assertThatThrownBy(() -> StartRequest.of("job").after(Duration.ofMillis(-1)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll("PT-0.001S", "zero or more");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 1001})
  void pagesHaveOneToAThousand(int limit) {
    assertThatThrownBy(() -> InstanceQuery.all().limit(limit))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll("Page size is " + limit, "1 to 1000");
  }

  @Test
  void conditionsAddUp() {
    InstanceQuery query =
        InstanceQuery.all()
            .type("t", "u")
            .state("s")
            .businessKey("b")
            .externalId("e")
            .key("k")
            .executorGroup("g")
            .executor(7)
            .failure("f")
            .withoutTypes(java.util.Set.of("w"))
            .endedBetween(Instant.EPOCH, Instant.EPOCH)
            .keyPrefix("p")
            .parent(5)
            .status(InstanceStatus.FAILED, InstanceStatus.MANUAL)
            .createdBetween(Instant.EPOCH, null)
            .modifiedBetween(null, Instant.EPOCH)
            .variable("v", 1)
            .limit(1000)
            .after("c");
    assertThat(query)
        .isEqualTo(
            new InstanceQuery(
                new InstanceQuery.Match(
                    java.util.Set.of("t", "u"), "s", "g", 7L, "f", java.util.Set.of("w")),
                new InstanceQuery.Keys("b", "e", "k", "p", 5L),
                java.util.Set.of(InstanceStatus.FAILED, InstanceStatus.MANUAL),
                new InstanceQuery.Times(
                    new InstanceQuery.Range(Instant.EPOCH, null),
                    new InstanceQuery.Range(null, Instant.EPOCH),
                    new InstanceQuery.Range(Instant.EPOCH, Instant.EPOCH)),
                new InstanceQuery.VariableMatch("v", 1),
                1000,
                "c"));
  }

  @Test
  void anActionNeedsAnActor() {
    assertThatThrownBy(() -> OperatorAction.by(" ", "x"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll("actor", "1 to 100");
    assertThatThrownBy(() -> OperatorAction.by("x".repeat(101), "x"))
        .isInstanceOf(InvalidRequestException.class);
    assertThat(OperatorAction.by("x".repeat(100), "x").actor()).hasSize(100);
  }

  @Test
  void anActionsReasonIsShortOrAbsent() {
    assertThat(new OperatorAction("ann", null).reason()).isNull();
    assertThat(OperatorAction.by("ann", "x".repeat(1000)).reason()).hasSize(1000);
    assertThatThrownBy(() -> OperatorAction.by("ann", "x".repeat(1001)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll("1001", "at most 1000");
  }

  @ParameterizedTest
  @EnumSource(InstanceStatus.class)
  void everyStatusHasACode(InstanceStatus status) {
    assertThat(InstanceStatus.ofCode(status.code())).isEqualTo(status);
  }

  @ParameterizedTest
  @EnumSource(HistoryEntryType.class)
  void everyActionTypeHasACode(HistoryEntryType type) {
    assertThat(HistoryEntryType.ofCode(type.code())).isEqualTo(type);
  }

  @ParameterizedTest
  @EnumSource(InboxMessage.Kind.class)
  void everyKindOfMessageHasACode(InboxMessage.Kind kind) {
    assertThat(InboxMessage.Kind.ofCode(kind.code())).isEqualTo(kind);
  }

  @Test
  void unknownCodesAreRefused() {
    assertThatThrownBy(() -> InstanceStatus.ofCode("FAILED"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll("'FAILED'", "failed", "inProgress");
    assertThatThrownBy(() -> HistoryEntryType.ofCode("x"))
        .isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(() -> InboxMessage.Kind.ofCode("x"))
        .isInstanceOf(InvalidRequestException.class);
  }

  @Test
  void aPositionKnowsWhatItWaitsFor() {
    Position signal =
        new Position("s", InstanceStatus.IN_PROGRESS, null, 1, null, Position.signal("a:b"), null);
    assertThat(signal.awaitedSignal()).isEqualTo("a:b");
    assertThat(signal.awaitsChildren()).isFalse();
    Position named =
        new Position(
            "s", InstanceStatus.IN_PROGRESS, null, 1, null, Position.signal("children"), null);
    assertThat(named.awaitsChildren()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\0b", "A-\uD83D", "\uDE00"})
  void whatNoDatabaseKeepsIsNeitherAskedForNorGivenAsActor(String text) {
    InstanceQuery all = InstanceQuery.all();
    for (Consumer<String> question :
        List.<Consumer<String>>of(
            all::businessKey,
            all::externalId,
            all::key,
            all::type,
            all::state,
            all::executorGroup,
            all::failure,
            OperatorAction::by)) {
      assertThatThrownBy(() -> question.accept(text))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContainingAll(
              StorableText.repaired(text), "without NUL or half of a surrogate pair");
    }
  }
}
