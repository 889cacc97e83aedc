package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StartSpec;
import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ChannelClaimRequest;
import io.millrace.store.ChannelClaimRequest.Candidate;
import io.millrace.store.ChannelClaimResult;
import io.millrace.store.ClaimRequest;
import io.millrace.store.ClaimResult;
import io.millrace.store.InstanceStore.StepRecord;
import io.millrace.store.LoadLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests that a claim loads at most the permitted number of bytes, and leaves other instances
 * unchanged.
 */
class ClaimSizeContractTest extends StoreContract {

  private static final int BUDGET = 100_000;

  /** JSON text of 40,000 bytes, of which two fit into a claim. */
  private static final String LARGE = '"' + "x".repeat(39_998) + '"';

  private static final String HALF = '"' + "x".repeat(19_998) + '"';

  ClaimSizeContractTest(StoreFixture subject) {
    super(subject);
  }

  private ClaimResult claimWithin(int maxBytes) {
    return store
        .instances()
        .claim(new ClaimRequest(executor, group, List.of(definition), 10, List.of(), maxBytes));
  }

  private static List<Long> ids(ClaimResult result) {
    return result.claimed().stream().map(claimed -> claimed.instance().id()).toList();
  }

  /** Starts instances, each of which is due later than the one before. */
  private List<Long> startInOrder(int count, StartSpec spec) {
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(start(spec));
      advance(SECOND);
    }
    return ids;
  }

  private void assertLeftAsItWas(long id, int leaseVersion) {
    WorkflowInstance left = read(id);
    assertThat(left.lease().executorId()).isNull();
    assertThat(left.lease().attempt()).isZero();
    assertThat(left.seq()).isZero();
    assertThat(left.nextActivation()).isBefore(now());
    assertThat(left.lease().leaseVersion()).isBetween(0, leaseVersion);
  }

  private void assertClaimedInTurn(StartSpec spec) {
    List<Long> ids = startInOrder(5, spec);

    ClaimResult first = claimWithin(BUDGET);

    assertThat(ids(first)).isEqualTo(ids.subList(0, 2));
    assertThat(first.cut()).isTrue();
    assertThat(first.nextDue()).isNull();
    assertLeftAsItWas(ids.get(2), 1);
    assertLeftAsItWas(ids.get(4), 1);
    ClaimResult second = claimWithin(BUDGET);
    assertThat(ids(second)).isEqualTo(ids.subList(2, 4));
    ClaimResult third = claimWithin(BUDGET);
    assertThat(ids(third)).isEqualTo(ids.subList(4, 5));
    assertThat(third.cut()).isFalse();
  }

  @Test
  void largeInputsAreClaimedInTurn() {
    assertClaimedInTurn(instance().input(LARGE));
  }

  @Test
  void largeVariablesAreClaimedInTurn() {
    assertClaimedInTurn(instance().variable("a", HALF).variable("b", HALF));
  }

  @Test
  void largeStepResultsAreClaimedInTurn() {
    List<Long> ids = startInOrder(3, instance());
    claim(10)
        .forEach(held -> {
          store.instances().recordStep(new StepRecord(fence(held), 0, "step", LARGE));
          saveAccepted(transitionOf(held).retry(Duration.ZERO));
        });
    advance(SECOND);

    assertThat(ids(claimWithin(BUDGET))).isEqualTo(ids.subList(0, 2));
    assertThat(ids(claimWithin(BUDGET))).isEqualTo(ids.subList(2, 3));
  }

  @Test
  void whatIsClaimedIsLoadedWhole() {
    start(instance().input(LARGE).variable("v", LARGE));

    ClaimResult.Claimed claimed = claimWithin(BUDGET).claimed().getFirst();

    assertThat(claimed.data().input()).isEqualTo(LARGE);
    assertThat(claimed.data().variables()).containsEntry("v", LARGE);
    assertThat(claimed.tooLarge()).isFalse();
    assertThat(claimed.data().size()).isEqualTo(80_000);
  }

  @Test
  void theFirstIsClaimedHoweverLargeItIs() {
    List<Long> ids = startInOrder(2, instance().input(LARGE).variable("v", LARGE));

    ClaimResult first = claimWithin(10_000);

    assertThat(ids(first)).isEqualTo(ids.subList(0, 1));
    assertThat(first.claimed().getFirst().data().variables()).containsEntry("v", LARGE);
    assertThat(ids(claimWithin(10_000))).isEqualTo(ids.subList(1, 2));
  }

  @Test
  void smallOnesBehindALargeOneKeepTheirTurn() {
    startInOrder(2, instance().variable("v", LARGE));
    long large = start(instance().variable("v", LARGE));
    advance(SECOND);
    long small = start(instance());
    advance(SECOND);

    assertThat(ids(claimWithin(BUDGET))).hasSize(2).doesNotContain(large, small);
    assertThat(ids(claimWithin(BUDGET))).containsExactly(large, small);
  }

  @Test
  void anInstanceThatNobodyCanLoadIsMarked() {
    StartSpec spec = instance();
    for (int i = 0; i <= LoadLimits.instanceBytes(BUDGET) / LARGE.length(); i++) {
      spec.variable("v" + i, LARGE);
    }
    long id = start(spec);
    advance(SECOND);
    long next = start(instance());
    advance(SECOND);

    ClaimResult first = claimWithin(BUDGET);

    assertThat(ids(first)).startsWith(id);
    assertThat(first.claimed().getFirst().tooLarge()).isTrue();
    assertThat(ids(first).contains(next) || ids(claimWithin(BUDGET)).contains(next)).isTrue();
  }

  @Test
  void messagesBringNoMoreThanARequestMayLoad() {
    List<Long> ids = startInOrder(3, instance().variable("v", LARGE));
    List<Candidate> wanted = ids.stream().map(id -> new Candidate(id, 0)).toList();

    List<ChannelClaimResult> results =
        store
            .instances()
            .claimForChannel(
                new ChannelClaimRequest(executor, group, List.of(definition), wanted, BUDGET));

    assertThat(results).filteredOn(ChannelClaimResult.Claimed.class::isInstance).hasSize(2);
    assertThat(results).filteredOn(ChannelClaimResult.TooMuch.class::isInstance).hasSize(1);
    assertThat(claim(10)).hasSize(1);
  }
}
