package io.millrace.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.Queue;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Tests of the program in the documentation of operation. */
class ProviderPageTest {

  // docs:provider
  public static final class Files implements FlowProvider {
    @Override
    public Collection<ServedFlow> flows(DataSource database) {
      Flow files =
          Flow.of("files", Queue.of("hash").fields("path").next("record"), Queue.of("record"));
      return List.of(
          ServedFlow.of(files)
              .serve("hash", 4, job -> JobResult.of("hash", job.get("path", String.class).length()))
              .serve("record", 1, job -> JobResult.completed().done()));
    }
  }

  // docs:end

  @Test
  void aProviderTellsOfItsFlowsAndTheirWorkers() {
    DataSource none =
        (DataSource)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                  throw new UnsupportedOperationException(method.getName());
                });

    ServedFlow work = new Files().flows(none).iterator().next();

    assertThat(work.flow().name()).isEqualTo("files");
    assertThat(work.workerPools())
        .extracting(ServedFlow.WorkerPool::queue, ServedFlow.WorkerPool::workers)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("hash", 4),
            org.assertj.core.groups.Tuple.tuple("record", 1));
  }
}
