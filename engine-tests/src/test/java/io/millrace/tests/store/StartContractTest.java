package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StartSpec;
import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.ChildCounts;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceDetails;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InstanceTimestamps;
import io.millrace.instance.Lease;
import io.millrace.instance.Origin;
import io.millrace.instance.Position;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.StartResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StartContractTest extends StoreContract {

  StartContractTest(StoreFixture subject) {
    super(subject);
  }

  private List<StartResult> starts(StartSpec... specs) {
    return store.instances().start(List.of(specs).stream().map(StartSpec::build).toList());
  }

  @Test
  void aNewInstanceIsExactlyWhatWasAskedFor() {
    long id =
        start(
            instance()
                .state("first")
                .priority(7)
                .businessKey("b")
                .externalId("e")
                .variable("v", "1"));

    assertThat(read(id))
        .isEqualTo(
            new WorkflowInstance(
                id,
                new Origin(type, 1, group, 7, "b", "e", null),
                new Position("first", InstanceStatus.CREATED, null, 0, now(), null, null),
                new Lease(null, 0, 0, 0, 0),
                new InstanceTimestamps(now(), now(), now(), null),
                ChildCounts.NONE,
                new InstanceDetails(1, 0, -1, null, null)));
  }

  @Test
  void inputAndVariablesAreKeptAsText() {
    String json = "{\"b\": [1, 2.50, null],\n \"a\":\"ä€😀\\u0000\"}";
    long id = start(instance().input(json).variable("x", json).variable("y", "null"));

    assertThat(store.queries().input(id)).contains(json);
    assertThat(store.queries().variables(id)).isEqualTo(Map.of("x", json, "y", "null"));
  }

  @Test
  void nothingIsInTheHistoryOfANewInstance() {
    long id = start(instance());

    assertThat(store.queries().history(id, 0, 10)).isEmpty();
    assertThat(store.queries().input(id)).isEmpty();
    assertThat(store.queries().variables(id)).isEmpty();
  }

  @Test
  void createdTellsTheTimeOfTheStore() {
    advance(Duration.ofMillis(1500));

    assertThat(starts(instance()).getFirst())
        .isInstanceOfSatisfying(
            StartResult.Created.class, c -> assertThat(c.at()).isEqualTo(now()));
  }

  @Test
  void dueTimesAreResolvedByTheStoresClock() {
    assertThat(read(start(instance().due(Due.NOW))).nextActivation()).isEqualTo(now());
    assertThat(read(start(instance().due(new Due.After(HOUR)))).nextActivation())
        .isEqualTo(now().plus(HOUR));
    assertThat(read(start(instance().due(new Due.At(now().minus(HOUR))))).nextActivation())
        .isEqualTo(now().minus(HOUR));
    assertThat(read(start(instance().due(NEVER))).nextActivation()).isNull();
  }

  @Test
  void anInstanceCanBeHeldFromItsStart() {
    WorkflowInstance held = read(start(instance().heldBy(executor)));

    assertThat(held.lease()).isEqualTo(new Lease(executor, 1, 0, 1, 0));
    assertThat(held.status()).isEqualTo(InstanceStatus.EXECUTING);
    assertThat(held.position().status()).isEqualTo(InstanceStatus.CREATED);
    assertThat(claim(10)).isEmpty();
    assertThat(save(transitionOf(held))).isEqualTo(released(0));
  }

  @Test
  void answersAreInTheOrderOfTheRequests() {
    long first = start(instance().externalId("known"));

    List<StartResult> results =
        starts(
            instance().businessKey("a"),
            instance().externalId("known"),
            instance().businessKey("c"));

    assertThat(read(results.get(0).id()).origin().businessKey()).isEqualTo("a");
    assertThat(results.get(1)).isEqualTo(new StartResult.Existing(first, true));
    assertThat(read(results.get(2).id()).origin().businessKey()).isEqualTo("c");
  }

  @Test
  void startingNothingIsFine() {
    assertThat(starts()).isEmpty();
  }

  @Test
  void aSecondStartWithTheSameExternalIdWritesNothing() {
    long id = start(instance().externalId("e").input("1").variable("v", "1"));
    WorkflowInstance before = read(id);
    advance(SECOND);

    assertThat(
            starts(instance().externalId("e").input("1").variable("v", "1").priority(9).state("z")))
        .containsExactly(new StartResult.Existing(id, true));
    assertThat(read(id)).isEqualTo(before);
  }

  @Test
  void anotherInputIsAnotherPayload() {
    long id = start(instance().externalId("e").input("1"));

    assertThat(starts(instance().externalId("e").input("2")))
        .containsExactly(new StartResult.Existing(id, false));
    assertThat(starts(instance().externalId("e")))
        .containsExactly(new StartResult.Existing(id, false));
  }

  @Test
  void otherVariablesAreAnotherPayload() {
    long id = start(instance().externalId("e").variable("v", "1"));

    assertThat(starts(instance().externalId("e").variable("v", "2")))
        .containsExactly(new StartResult.Existing(id, false));
    assertThat(starts(instance().externalId("e").variable("w", "1")))
        .containsExactly(new StartResult.Existing(id, false));
  }

  @Test
  void thePayloadOfTheStartIsComparedEvenAfterVariablesChanged() {
    WorkflowInstance held = startAndClaim(instance().externalId("e").variable("v", "1"));
    saveAccepted(transitionOf(held).set("v", "2"));

    assertThat(starts(instance().externalId("e").variable("v", "1")))
        .containsExactly(new StartResult.Existing(held.id(), true));
  }

  @Test
  void anExternalIdStaysTakenAfterTheEnd() {
    WorkflowInstance held = startAndClaim(instance().externalId("e"));
    saveAccepted(transitionOf(held).end(InstanceStatus.FINISHED));

    assertThat(starts(instance().externalId("e")))
        .containsExactly(new StartResult.Existing(held.id(), true));
  }

  @Test
  void duplicatesWithinOneCallAreOneInstance() {
    List<StartResult> results =
        starts(
            instance().externalId("e"),
            instance().externalId("e"),
            instance().externalId("e").input("1"));

    long id = results.getFirst().id();
    assertThat(results.get(0)).isInstanceOf(StartResult.Created.class);
    assertThat(results.subList(1, 3))
        .containsExactly(new StartResult.Existing(id, true), new StartResult.Existing(id, false));
    assertThat(claim(10)).hasSize(1);
  }

  @Test
  void externalIdsAreUniqueOnlyWithinTypeAndGroup() {
    long one = start(instance().externalId("e"));
    long inOtherGroup = start(instance().externalId("e").group(group + "x"));
    long ofOtherType = start(new StartSpec(type + "x", group, definition).externalId("e"));

    assertThat(List.of(one, inOtherGroup, ofOtherType)).doesNotHaveDuplicates();
    assertThat(store.queries().findByExternalId(type, group + "x", "e").orElseThrow().id())
        .isEqualTo(inOtherGroup);
  }

  @Test
  void businessKeysAreNotUnique() {
    assertThat(start(instance().businessKey("b"))).isNotEqualTo(start(instance().businessKey("b")));
  }

  @Test
  void keysOfExactlyTwoHundredCharactersAreKept() {
    String key = "ä€x".repeat(66) + "zz";
    long id = start(instance().businessKey(key).externalId(key));

    assertThat(key).hasSize(200);
    assertThat(read(id).origin().businessKey()).isEqualTo(key);
    assertThat(store.queries().findByExternalId(type, group, key)).isPresent();
  }

  @Test
  void externalIdsDifferByCaseAndTrailingSpace() {
    start(instance().externalId("e"));
    start(instance().externalId("E"));
    start(instance().externalId("e "));

    assertThat(claim(10)).hasSize(3);
  }

  @Test
  void aLargeBatchKeepsItsOrder() {
    List<Long> ids = start(2_000);

    assertThat(ids).hasSize(2_000).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void aLargeInputAndManyVariablesAreKept() {
    String large = "\"" + "x€".repeat(200_000) + "\"";
    StartSpec spec = instance().input(large);
    for (int i = 0; i < 200; i++) {
      spec.variable("v" + i, Integer.toString(i));
    }
    long id = start(spec);

    assertThat(store.queries().input(id)).contains(large);
    assertThat(store.queries().variables(id)).hasSize(200).containsEntry("v7", "7");
    assertThat(read(id).details().variableCount()).isEqualTo(200);
  }
}
