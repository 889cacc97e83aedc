package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.data.ChangeType;
import io.millrace.data.KeyContent;
import io.millrace.data.KeyId;
import io.millrace.data.KeyValue;
import io.millrace.data.ReduceToken;
import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.AttachedWrite;
import io.millrace.store.KeyValueStore;
import io.millrace.store.KeyValueStore.Put;
import io.millrace.store.ReduceStore;
import io.millrace.store.ReduceStore.Commit;
import io.millrace.store.ReduceStore.Comparison;
import io.millrace.store.ReduceStore.FollowUp;
import io.millrace.store.ReduceStore.HashedRecord;
import io.millrace.store.SaveRequest;
import io.millrace.store.SaveResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the additional writes of a transition are committed with it, or not at all. */
class AttachedWritesContractTest extends StoreContract {

  AttachedWritesContractTest(StoreFixture subject) {
    super(subject);
  }

  private List<AttachedWrite> more(String value) {
    return List.of(
        Put.set(new KeyId(group, "k"), KeyContent.of(value)),
        new Commit(group, List.of(new ReduceToken("a", value, 1, 9)), 7L));
  }

  private String stored() {
    return store
        .role(KeyValueStore.class)
        .get(new KeyId(group, "k"))
        .map(KeyValue::value)
        .orElse(null);
  }

  private ChangeType change(String value) {
    return store
        .role(ReduceStore.class)
        .compare(
            new Comparison(
                group, List.of(new HashedRecord("a", value, null)), new FollowUp.None(), false),
            null)
        .orElseThrow()
        .changes()
        .getFirst();
  }

  @Test
  void anAcceptedTransitionWritesIt() {
    SaveRequest saveRequest =
        transitionOf(startAndClaim()).to("next").due(SOON).build().with(more("1"));

    assertThat(save(saveRequest)).isInstanceOf(SaveResult.Saved.class);

    assertThat(stored()).isEqualTo("1");
    assertThat(change("1")).isEqualTo(ChangeType.UNCHANGED);
    assertThat(change("2")).isEqualTo(ChangeType.CHANGED);
  }

  @Test
  void aFencedTransitionWritesNoneOfIt() {
    WorkflowInstance held = startAndClaim();
    SaveRequest late = transitionOf(held).to("next").due(SOON).build().with(more("late"));
    saveAccepted(transitionOf(held).to("other").due(SOON));

    assertThat(save(late)).isInstanceOf(SaveResult.Fenced.class);
    assertThat(stored()).isNull();
    assertThat(change("late")).isEqualTo(ChangeType.NEW);
  }

  @Test
  void neighboursInABatchKeepTheirOwn() {
    WorkflowInstance gone = startAndClaim();
    WorkflowInstance here = startAndClaim();
    SaveRequest late = transitionOf(gone).to("next").due(SOON).build().with(more("late"));
    saveAccepted(transitionOf(gone).to("other").due(SOON));
    SaveRequest fine = transitionOf(here).to("next").due(SOON).build().with(more("fine"));

    assertThat(store.instances().save(List.of(late, fine)))
        .extracting(result -> result instanceof SaveResult.Saved)
        .containsExactly(false, true);
    assertThat(stored()).isEqualTo("fine");
  }

  @Test
  void aRepeatedTransitionWritesItOnce() {
    SaveRequest saveRequest =
        transitionOf(startAndClaim()).to("next").due(SOON).build().with(more("1"));
    save(saveRequest);
    save(saveRequest);

    assertThat(store.role(KeyValueStore.class).get(new KeyId(group, "k")).orElseThrow().version())
        .isEqualTo(1);
  }
}
