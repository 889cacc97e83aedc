package io.millrace.tests.store;

import static io.millrace.instance.InstanceStatus.CANCELLED;
import static io.millrace.instance.InstanceStatus.FAILED;
import static io.millrace.instance.InstanceStatus.FINISHED;
import static io.millrace.instance.InstanceStatus.MANUAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.Page;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.OperatorCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of each filter of a search, alone and with others. */
class FilterContractTest extends StoreContract {

  private InstanceQuery all;

  FilterContractTest(StoreFixture subject) {
    super(subject);
  }

  @BeforeEach
  void ofThisTest() {
    all = InstanceQuery.all().type(type);
  }

  private List<Long> ids(InstanceQuery query) {
    return store.queries().search(query, null).items().stream().map(WorkflowInstance::id).toList();
  }

  private List<Long> pages(InstanceQuery query) {
    List<Long> found = new ArrayList<>();
    Page<WorkflowInstance> page = new Page<>(List.of(), null);
    do {
      page = store.queries().search(query.after(page.next()), null);
      page.items().forEach(i -> found.add(i.id()));
    } while (page.next() != null);
    return found;
  }

  private int count(InstanceQuery query, int cap) {
    return store.queries().count(query, null, cap);
  }

  private WorkflowInstance failed(String fingerprint) {
    return saveAccepted(transitionOf(startAndClaim()).end(FAILED).failure(fingerprint));
  }

  @Test
  void byFailure() {
    String one = "one" + type;
    WorkflowInstance first = failed(one);
    failed("other" + type);
    WorkflowInstance parked = saveAccepted(transitionOf(startAndClaim()).end(MANUAL).failure(one));
    WorkflowInstance last = failed(one);

    assertThat(ids(InstanceQuery.all().failure(one)))
        .containsExactly(last.id(), parked.id(), first.id());
    assertThat(ids(InstanceQuery.all().failure(one).status(FAILED)))
        .containsExactly(last.id(), first.id());
    assertThat(pages(InstanceQuery.all().failure(one).limit(1)))
        .containsExactly(last.id(), parked.id(), first.id());
    applyAccepted(last, new OperatorCommand.Retry());
    assertThat(ids(InstanceQuery.all().failure(one))).containsExactly(parked.id(), first.id());
  }

  @Test
  void byTheBeginningOfAKeyInAnyCase() {
    long ada = start(instance().businessKey("Ada Quinn"));
    long order = start(instance().externalId("ADA-17"));
    start(instance().businessKey("Not ada"));
    long odd = start(instance().businessKey("100%_of!it"));

    assertThat(ids(all.keyPrefix("ada"))).containsExactly(order, ada);
    assertThat(ids(all.keyPrefix("ADA "))).containsExactly(ada);
    assertThat(ids(all.keyPrefix("ada").externalId("ADA-17"))).containsExactly(order);
    assertThat(ids(all.keyPrefix("100%_OF!"))).containsExactly(odd);
    assertThat(ids(all.keyPrefix("100__of"))).isEmpty();
    assertThat(pages(all.keyPrefix("ada").limit(1))).containsExactly(order, ada);
    assertThat(count(all.keyPrefix("ada"), 100)).isEqualTo(2);
  }

  @Test
  void byExecutorAndExecutorGroup() {
    long other = register();
    WorkflowInstance mine = startAndClaim();
    long theirs = start(instance().heldBy(other));
    long nobodys = start(instance());

    assertThat(ids(InstanceQuery.all().executor(executor))).containsExactly(mine.id());
    assertThat(ids(InstanceQuery.all().executor(other).type(type))).containsExactly(theirs);
    assertThat(ids(InstanceQuery.all().executorGroup(group)))
        .containsExactly(nobodys, theirs, mine.id());
    assertThat(ids(InstanceQuery.all().executorGroup(group).executor(other)))
        .containsExactly(theirs);
    assertThat(ids(InstanceQuery.all().executorGroup("unused"))).isEmpty();
    assertThat(ids(InstanceQuery.all().executorGroup("unused").type(type))).isEmpty();
    assertThat(pages(InstanceQuery.all().executorGroup(group).limit(1)))
        .containsExactly(nobodys, theirs, mine.id());
  }

  @Test
  void byEitherKey() {
    String key = "key" + type;
    long business = start(instance().businessKey(key));
    long external = start(instance().externalId(key));
    start(instance().businessKey(key + "x").externalId(key + "y"));

    assertThat(ids(InstanceQuery.all().key(key))).containsExactly(external, business);
    assertThat(pages(InstanceQuery.all().key(key).limit(1))).containsExactly(external, business);
    assertThat(ids(InstanceQuery.all().businessKey(key))).containsExactly(business);
    assertThat(ids(InstanceQuery.all().externalId(key))).containsExactly(external);
    assertThat(ids(InstanceQuery.all().externalId(key).type("unused"))).isEmpty();
    assertThat(ids(InstanceQuery.all().key(key).businessKey(key))).containsExactly(business);
  }

  @Test
  void bySeveralTypes() {
    String one = type;
    long first = start(instance());
    type = one + "b";
    long second = start(instance());
    type = one + "c";
    start(instance());

    InstanceQuery both = InstanceQuery.all().type(one, one + "b", "unused");
    assertThat(ids(both)).containsExactly(second, first);
    assertThat(pages(both.limit(1))).containsExactly(second, first);
    assertThat(ids(both.status(FINISHED))).isEmpty();
    assertThat(ids(both.executorGroup(group))).containsExactly(second, first);
    assertThat(ids(both.endedBetween(null, null))).isEmpty();
  }

  @Test
  void byTheTimeOfTheStart() {
    List<Long> started = new ArrayList<>();
    Instant begin = now();
    for (int hour = 0; hour < 12; hour++) {
      started.addAll(start(200));
      advance(HOUR);
    }

    for (int from = 0; from < 12; from += 5) {
      for (int to = from; to <= 12; to += 3) {
        InstanceQuery query =
            all.limit(1000).createdBetween(begin.plus(hours(from)), begin.plus(hours(to)));
        List<Long> expected = started.subList(from * 200, to * 200).reversed();
        assertThat(pages(query)).containsExactlyElementsOf(expected);
        assertThat(count(query, 10_000)).isEqualTo(expected.size());
      }
    }
    assertThat(ids(all.createdBetween(now(), null))).isEmpty();
    assertThat(ids(all.createdBetween(null, begin))).isEmpty();
    assertThat(ids(InstanceQuery.all().createdBetween(Instant.MIN, Instant.MAX).type(type)))
        .hasSize(100);
    assertThat(ids(all.createdBetween(begin, begin.plus(HOUR)).status(CANCELLED))).isEmpty();
  }

  private static Duration hours(int count) {
    return HOUR.multipliedBy(count);
  }

  @Test
  void byTheTimeOfTheEndTheLastFirst() {
    WorkflowInstance[] held = {
      startAndClaim(), startAndClaim(), startAndClaim(), startAndClaim(), startAndClaim()
    };
    saveAccepted(transitionOf(held[2]).end(FINISHED));
    Instant second = now().plus(SECOND);
    advance(SECOND);
    saveAccepted(transitionOf(held[4]).end(FAILED));
    saveAccepted(transitionOf(held[0]).end(FINISHED));
    advance(SECOND);
    saveAccepted(transitionOf(held[1]).end(FINISHED));
    List<Long> order = List.of(held[1].id(), held[4].id(), held[0].id(), held[2].id());

    assertThat(ids(all.endedBetween(null, null))).isEqualTo(order);
    assertThat(pages(all.endedBetween(null, null).limit(1))).isEqualTo(order);
    assertThat(pages(all.endedBetween(null, null).limit(2))).isEqualTo(order);
    assertThat(ids(all.endedBetween(second, null))).isEqualTo(order.subList(0, 3));
    assertThat(ids(all.endedBetween(second, now()))).isEqualTo(order.subList(1, 3));
    assertThat(ids(all.endedBetween(null, second))).isEqualTo(order.subList(3, 4));
    assertThat(ids(all.endedBetween(null, null).status(FAILED))).containsExactly(held[4].id());
    assertThat(ids(all.endedBetween(null, null).executorGroup(group))).isEqualTo(order);
    assertThat(ids(all.endedBetween(null, null).executorGroup("unused"))).isEmpty();
  }

  @Test
  void aCursorOfAnotherOrderIsRefused() {
    for (String cursor : new String[] {"x", "5", "5_", "_5", "1_2_3", "1_x"}) {
      assertThatThrownBy(() -> ids(all.endedBetween(null, null).after(cursor)))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("'" + cursor + "'");
    }
    assertThatThrownBy(() -> ids(all.after("5_5"))).isInstanceOf(InvalidRequestException.class);
  }

  @Test
  void countsUpToACap() {
    start(5);
    saveAccepted(transitionOf(startAndClaim()).end(FINISHED));

    assertThat(count(all, 100)).isEqualTo(6);
    assertThat(count(all, 4)).isEqualTo(4);
    assertThat(count(all.limit(1).after("1"), 100)).isEqualTo(6);
    assertThat(count(all.status(FINISHED), 100)).isEqualTo(1);
    assertThat(count(all.endedBetween(null, null), 100)).isEqualTo(1);
    assertThat(count(all.state("nowhere"), 100)).isZero();
    assertThat(store.queries().count(all.variable("v", 1), "1", 100)).isZero();
  }
}
