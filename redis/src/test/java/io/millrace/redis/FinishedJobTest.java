package io.millrace.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.support.TestRedis;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.ProtocolKeys;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of when a job has finished, by which waits and unique keys go alike. */
class FinishedJobTest {

  private final TestRedis server = new TestRedis();
  private final Queue last = Queue.of(server.name("last"));

  /** JavaScript writes this character with a letter in lower case, Jackson in upper case. */
  private final Queue strange = Queue.of(server.name("last \u001f"));

  private final Queue first = Queue.of(server.name("first")).next(last.name());
  private final Flow flow = Flow.of(server.name("finished"), first, last, strange);
  private final RedisFlows flows = RedisFlows.connect(TestRedis.settings());
  private final FlowClient client = flows.register(flow);
  private final NewJob unique = NewJob.of(Map.of()).uniqueKey("key");
  private final String id = client.create(unique);
  private final String job = ProtocolKeys.job(flow.name(), id);

  @AfterEach
  void close() {
    flows.close();
    server.redis().call("HDEL", "millrace:flows", flow.name());
    server.close();
  }

  private void assertFinished(boolean expected) {
    assertThat(client.isFinished(id)).isEqualTo(expected);
    assertThat(client.create(unique).equals(id))
        .as("its unique key is taken")
        .isNotEqualTo(expected);
  }

  private void set(String field, String text) {
    server.redis().call("HSET", job, field, text);
  }

  @Test
  void aJobOnItsWayHasNotFinished() {
    set("done", "false");
    set("failed", "false");
    set("completed-queue", JavaScriptJson.standard().write(first.name()));

    assertFinished(false);
  }

  @Test
  void aJobThatIsDoneHasFinished() {
    set("done", "true");

    assertFinished(true);
  }

  @Test
  void aJobThatIsDoneByAStringHasFinished() {
    set("done", "\"true\"");

    assertFinished(true);
  }

  @Test
  void aJobThatHasFailedHasFinished() {
    set("failed", "true");

    assertFinished(true);
  }

  @Test
  void aJobThatAQueueWithoutANextHasCompletedHasFinished() {
    set("completed-queue", JavaScriptJson.standard().write(last.name()));

    assertFinished(true);
  }

  @Test
  void theNameOfAQueueIsComparedAsJavaScriptWritesIt() {
    set("completed-queue", JavaScriptJson.standard().write(strange.name()));

    assertFinished(true);
  }

  /** The names of two queues with a blank between them contain it. */
  @Test
  void aNameIsComparedAsAWhole() {
    set("completed-queue", JavaScriptJson.standard().write(" "));

    assertFinished(false);
  }

  @Test
  void aJobThatDoesNotExistHasFinished() {
    server.redis().call("DEL", job);

    assertFinished(true);
  }

  @Test
  void aKeyThatHoldsNoJobIsAsGoodAsNone() {
    server.redis().call("DEL", job);
    server.redis().call("SET", job, "not a job");

    assertFinished(true);
  }
}
