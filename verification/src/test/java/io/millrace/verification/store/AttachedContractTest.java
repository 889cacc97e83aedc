package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.data.ChangeType;
import io.millrace.data.KeyContent;
import io.millrace.data.KeyId;
import io.millrace.data.KeyValue;
import io.millrace.data.ReduceToken;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.Attached;
import io.millrace.store.KeyValueStore.Put;
import io.millrace.store.ReduceStore.Commit;
import io.millrace.store.ReduceStore.Comparison;
import io.millrace.store.ReduceStore.Item;
import io.millrace.store.ReduceStore.Then;
import io.millrace.store.Save;
import io.millrace.store.SaveResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a transition writes beside its instance is written with it, or not at all. */
class AttachedContractTest extends StoreContract {

  AttachedContractTest(StoreUnderTest subject) {
    super(subject);
  }

  private Attached more(String value) {
    return new Attached(
        List.of(Put.set(new KeyId(group, "k"), KeyContent.of(value))),
        List.of(new Commit(group, List.of(new ReduceToken("a", value, 1, 9)), 7L)));
  }

  private String stored() {
    return store.keyValues().get(new KeyId(group, "k")).map(KeyValue::value).orElse(null);
  }

  private ChangeType change(String value) {
    return store
        .reductions()
        .compare(
            new Comparison(group, List.of(new Item("a", value, null)), new Then.Nothing(), false),
            null)
        .orElseThrow()
        .changes()
        .getFirst();
  }

  @Test
  void anAcceptedTransitionWritesIt() {
    Save save = move(held()).to("next").due(SOON).build().with(more("1"));

    assertThat(save(save)).isInstanceOf(SaveResult.Saved.class);

    assertThat(stored()).isEqualTo("1");
    assertThat(change("1")).isEqualTo(ChangeType.UNCHANGED);
    assertThat(change("2")).isEqualTo(ChangeType.CHANGED);
  }

  @Test
  void aFencedTransitionWritesNoneOfIt() {
    WorkflowInstance held = held();
    Save late = move(held).to("next").due(SOON).build().with(more("late"));
    saved(move(held).to("other").due(SOON));

    assertThat(save(late)).isInstanceOf(SaveResult.Fenced.class);
    assertThat(stored()).isNull();
    assertThat(change("late")).isEqualTo(ChangeType.NEW);
  }

  @Test
  void neighboursInABatchKeepTheirOwn() {
    WorkflowInstance gone = held();
    WorkflowInstance here = held();
    Save late = move(gone).to("next").due(SOON).build().with(more("late"));
    saved(move(gone).to("other").due(SOON));
    Save fine = move(here).to("next").due(SOON).build().with(more("fine"));

    assertThat(store.work().save(List.of(late, fine)))
        .extracting(result -> result instanceof SaveResult.Saved)
        .containsExactly(false, true);
    assertThat(stored()).isEqualTo("fine");
  }

  @Test
  void aRepeatedTransitionWritesItOnce() {
    Save save = move(held()).to("next").due(SOON).build().with(more("1"));
    save(save);
    save(save);

    assertThat(store.keyValues().get(new KeyId(group, "k")).orElseThrow().version()).isEqualTo(1);
  }
}
