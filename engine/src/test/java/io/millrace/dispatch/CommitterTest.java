package io.millrace.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SingleMethodFake;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.Fence;
import io.millrace.store.InstanceStore;
import io.millrace.store.SaveRequest;
import io.millrace.store.SaveResult;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each save gets its own result, whatever is dropped meanwhile. */
class CommitterTest {

  private final FakeRuntime fake = new FakeRuntime();
  private final Map<Long, SaveResult> results = new HashMap<>();
  private Runnable duringSave = () -> {};
  private int saves;
  private Committer committer;

  @BeforeEach
  void create() {
    committer =
        new Committer(
            new EngineContext(
                store(),
                fake.runtime(),
                EngineSettings.defaults(),
                null,
                null,
                new EngineEventPublisher(List.of()),
                List.of()));
  }

  private Store store() {
    InstanceStore instances =
        SingleMethodFake.of(InstanceStore.class, "save", saves -> save((List<?>) saves[0]));
    return SingleMethodFake.of(Store.class, "instances", none -> instances);
  }

  /** Returns a result whose number identifies its save. */
  private static SaveResult saved(long id) {
    return new SaveResult.Saved((int) id, true);
  }

  private List<SaveResult> save(List<?> saves) {
    duringSave.run();
    return saves.stream().map(save -> saved(((SaveRequest) save).fence().instanceId())).toList();
  }

  private static Fence fence(long id, long executorId) {
    return new Fence(id, executorId, 1, 0);
  }

  private void submit(long id, long executorId) {
    committer.submit(
        new SaveRequest(
            fence(id, executorId),
            null,
            null,
            new SaveRequest.Changes(Map.of(), 0, List.of(), List.of(), null, null, null)),
        new Batcher.Callback<>() {
          @Override
          public void done(Committer.SaveReply reply) {
            results.put(id, reply.result());
          }

          @Override
          public void failed(StoreException fault) {
            throw fault;
          }
        });
  }

  @Test
  void aResultThatIsWithdrawnDuringTheSaveIsStillItsOwn() {
    duringSave = () -> committer.dropSave(fence(1, 7));
    committer.dropSave(fence(2, 7));
    for (long id = 1; id <= 3; id++) {
      submit(id, 7);
    }
    fake.tick();

    assertThat(results).isEqualTo(Map.of(1L, saved(1), 2L, new SaveResult.Fenced(), 3L, saved(3)));
  }

  @Test
  void theResultsOfAnExecutorThatIsDisownedDuringTheSaveAreStillTheirOwn() {
    duringSave = () -> committer.dropSaves(8);
    committer.dropSaves(7);
    submit(1, 7);
    submit(2, 8);
    submit(3, 9);
    fake.tick();

    assertThat(results).isEqualTo(Map.of(1L, new SaveResult.Fenced(), 2L, saved(2), 3L, saved(3)));
  }

  @Test
  void ofADisownedExecutorNothingIsSaved() {
    duringSave = () -> saves++;
    committer.dropSaves(7);
    submit(1, 7);
    fake.tick();

    assertThat(saves).isZero();
    assertThat(results).isEqualTo(Map.of(1L, new SaveResult.Fenced()));
  }
}
