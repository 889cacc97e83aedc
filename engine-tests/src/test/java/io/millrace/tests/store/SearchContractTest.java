package io.millrace.tests.store;

import static io.millrace.instance.InstanceStatus.FAILED;
import static io.millrace.instance.InstanceStatus.FINISHED;
import static io.millrace.instance.InstanceStatus.IN_PROGRESS;
import static io.millrace.instance.InstanceStatus.MANUAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Page;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.OperatorCommand;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of searches over ended and open instances. */
class SearchContractTest extends StoreContract {

  private static final InstanceStatus[] STATUSES = InstanceStatus.values();
  private static final int PAGE = 3;

  SearchContractTest(StoreFixture subject) {
    super(subject);
  }

  private WorkflowInstance inStatus(InstanceStatus status) {
    return switch (status) {
      case CREATED -> read(start(instance()));
      case IN_PROGRESS -> saveAccepted(transitionOf(startAndClaim()));
      case EXECUTING -> startAndClaim();
      case PAUSED -> applyAccepted(read(start(instance())), new OperatorCommand.Pause());
      case MANUAL, FINISHED, FAILED -> saveAccepted(transitionOf(startAndClaim()).end(status));
      case CANCELLED -> applyAccepted(read(start(instance())), new OperatorCommand.Cancel());
    };
  }

  /** Creates two instances of each status, in an order that mixes the statuses. */
  private void fill() {
    for (int i = 0; i < 2 * STATUSES.length; i++) {
      inStatus(STATUSES[i * 3 % STATUSES.length]);
    }
  }

  private static InstanceQuery of(InstanceQuery query, Set<InstanceStatus> statuses) {
    List<InstanceStatus> list = List.copyOf(statuses);
    return list.isEmpty()
        ? query
        : query.status(
            list.getFirst(), list.subList(1, list.size()).toArray(InstanceStatus[]::new));
  }

  /**
   * Returns the sets with few statuses and those with all but a few, which cover every pair of
   * statuses.
   */
  private static List<Set<InstanceStatus>> pairs() {
    return sets().stream()
        .filter(statuses -> statuses.size() <= 2 || statuses.size() >= STATUSES.length - 1)
        .toList();
  }

  /** Returns the empty set, and every other set of statuses. */
  private static List<Set<InstanceStatus>> sets() {
    List<Set<InstanceStatus>> sets = new ArrayList<>();
    sets.add(EnumSet.noneOf(InstanceStatus.class));
    for (InstanceStatus status : STATUSES) {
      for (Set<InstanceStatus> without : List.copyOf(sets)) {
        Set<InstanceStatus> with = EnumSet.of(status);
        with.addAll(without);
        sets.add(with);
      }
    }
    return sets;
  }

  private List<WorkflowInstance> first(InstanceQuery query) {
    return store.queries().search(query, null).items();
  }

  /** Returns the instances of all pages, in order. */
  private List<WorkflowInstance> pages(InstanceQuery query) {
    List<WorkflowInstance> found = new ArrayList<>();
    Page<WorkflowInstance> page = new Page<>(List.of(), null);
    do {
      page = store.queries().search(query.after(page.next()), null);
      assertThat(page.items()).hasSizeLessThanOrEqualTo(query.limit());
      found.addAll(page.items());
    } while (page.next() != null);
    return found;
  }

  private void assertPages(
      InstanceQuery query, List<WorkflowInstance> all, List<Set<InstanceStatus>> sets) {
    for (Set<InstanceStatus> statuses : sets) {
      assertThat(pages(of(query, statuses)))
          .as("pages of %s", statuses)
          .containsExactlyElementsOf(
              all.stream()
                  .filter(i -> statuses.isEmpty() || statuses.contains(i.status()))
                  .toList());
    }
  }

  @Test
  void pagesOfATypeLoseAndRepeatNothingInWhateverStatuses() {
    assertPagesOfAType(pairs());
  }

  @Test
  @Tag("races")
  void pagesOfATypeLoseAndRepeatNothingInAnySetOfStatuses() {
    assertPagesOfAType(sets());
  }

  private void assertPagesOfAType(List<Set<InstanceStatus>> sets) {
    String earlier = type;
    type = earlier + "a";
    fill();
    type = earlier;
    fill();
    InstanceQuery ofType = InstanceQuery.all().type(type);
    List<WorkflowInstance> all = first(ofType.limit(1000));
    assertThat(all)
        .hasSize(2 * STATUSES.length)
        .extracting(i -> i.origin().type())
        .containsOnly(type);

    assertPages(ofType.limit(PAGE), all, sets);
  }

  @Test
  void pagesOfAllTypesLoseAndRepeatNothingInWhateverStatuses() {
    assertPagesOfAllTypes(pairs());
  }

  @Test
  @Tag("races")
  void pagesOfAllTypesLoseAndRepeatNothingInAnySetOfStatuses() {
    assertPagesOfAllTypes(sets());
  }

  private void assertPagesOfAllTypes(List<Set<InstanceStatus>> sets) {
    String earlier = type;
    fill();
    type = earlier + "a";
    fill();
    List<WorkflowInstance> all = first(InstanceQuery.all().limit(1000));

    assertPages(InstanceQuery.all().limit(PAGE), all, sets);
  }

  @Test
  void otherConditionsHoldInBothHalves() {
    long open = start(instance().state("s1"));
    WorkflowInstance ended = saveAccepted(transitionOf(startAndClaim()).to("s1").end(FINISHED));
    fill();
    InstanceQuery query = InstanceQuery.all().type(type).state("s1").createdBetween(now(), null);

    assertThat(pages(query)).extracting(WorkflowInstance::id).containsExactly(ended.id(), open);
    assertThat(pages(query.status(FINISHED)))
        .extracting(WorkflowInstance::id)
        .containsExactly(ended.id());
    assertThat(pages(query.createdBetween(now().plus(SECOND), null))).isEmpty();
  }

  @Test
  void onesThatEndOrAreRetriedBetweenPagesAreFoundOnce() {
    WorkflowInstance ends = startAndClaim();
    WorkflowInstance retried = inStatus(FAILED);
    start(2);
    InstanceQuery query = InstanceQuery.all().type(type).limit(2);
    Page<WorkflowInstance> first = store.queries().search(query, null);
    saveAccepted(transitionOf(ends).end(FINISHED));
    applyAccepted(retried, new OperatorCommand.Retry());

    assertThat(first(query.after(first.next())))
        .extracting(WorkflowInstance::id)
        .containsExactly(retried.id(), ends.id());
  }

  @Test
  void aCursorBeforeTheFirstInstanceIsTheEnd() {
    fill();
    InstanceQuery query = InstanceQuery.all().type(type);

    for (long cursor : new long[] {1, 0, -1, Long.MIN_VALUE}) {
      assertThat(first(query.after(String.valueOf(cursor)))).isEmpty();
    }
    assertThat(first(query.after(String.valueOf(Long.MAX_VALUE)))).hasSize(2 * STATUSES.length);
  }

  /** A search for open instances relies on this. */
  @Test
  void anInstanceHasATimeOfItsEndExactlyInATerminalStatus() {
    fill();
    applyAccepted(startAndClaim(), new OperatorCommand.Cancel());
    applyAccepted(inStatus(FAILED), new OperatorCommand.Cancel());
    applyAccepted(inStatus(FAILED), new OperatorCommand.Retry());
    applyAccepted(inStatus(FAILED), new OperatorCommand.EditVariables(Map.of("v", "1")));
    applyAccepted(inStatus(MANUAL), new OperatorCommand.EditVariables(Map.of("v", "1")));
    applyAccepted(inStatus(MANUAL), new OperatorCommand.Retry());
    applyAccepted(inStatus(InstanceStatus.PAUSED), new OperatorCommand.Resume());
    applyAccepted(
        inStatus(FAILED), new OperatorCommand.Move("s", IN_PROGRESS, Due.NOW, null, null));
    applyAccepted(inStatus(FAILED), new OperatorCommand.Move("s", MANUAL, NEVER, null, null));
    applyAccepted(
        inStatus(IN_PROGRESS), new OperatorCommand.Move("s", FINISHED, NEVER, null, null));
    saveAccepted(
        transitionOf(claimed(applyAccepted(inStatus(FAILED), new OperatorCommand.Retry()))));
    saveAccepted(transitionOf(startAndClaim()).set("v", "1").variableCount(1).end(FINISHED));
    WorkflowInstance parent =
        saveAccepted(transitionOf(startAndClaim()).child(instance()).waitFor("children", NEVER));
    start(instance().parent(parent.id()));
    recovered();

    List<WorkflowInstance> all = first(InstanceQuery.all().type(type));
    assertThat(all).extracting(WorkflowInstance::status).contains(STATUSES);
    assertThat(all)
        .allSatisfy(i ->
            assertThat(i.timing().ended() != null)
                .as("%s has ended", i)
                .isEqualTo(i.status().isTerminal()));
  }

  private WorkflowInstance claimed(WorkflowInstance due) {
    return claim(100).stream().filter(i -> i.id() == due.id()).findFirst().orElseThrow();
  }

  /** Recovers two instances of dead executors: one runs again and one is parked. */
  private void recovered() {
    for (int most : new int[] {1, 5}) {
      long dead = register();
      start(instance().heldBy(dead));
      expireLeases();
      assertThat(store.executors().recover(dead, executor, 10, most)).hasSize(1);
    }
  }
}
