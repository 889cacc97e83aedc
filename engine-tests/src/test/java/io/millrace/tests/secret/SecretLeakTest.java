package io.millrace.tests.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Engine;
import io.millrace.codec.CodecException;
import io.millrace.codec.SecretCipher;
import io.millrace.codec.SecretKeys;
import io.millrace.definition.DefinitionException;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.JavaCommand;
import io.millrace.fixtures.LongLease;
import io.millrace.fixtures.Patience;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.retry.RetryPolicy;
import io.millrace.store.Store;
import io.millrace.testing.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that marked values are readable for authorized readers, and for no one else. */
class SecretLeakTest {

  static List<Named<Supplier<TestDatabase>>> databases() {
    return List.of(
        Named.of("H2", TestDatabase::h2), Named.of("PostgreSQL", TestDatabase::postgres));
  }

  @ParameterizedTest
  @MethodSource("databases")
  void noTableAndNoReadShowsASecret(Supplier<TestDatabase> open) throws SQLException {
    try (TestDatabase database = open.get()) {
      SecretScenario secretScenario = new SecretScenario();
      String seen = secretScenario.run(Engine.builder().dataSource(database.pool()));
      assertComplete(secretScenario, seen);
      String dump = dump(database.url());
      assertThat(dump).contains("$secret", "***", "not secret");
      SecretScenario.ALL.forEach(canary -> canary.assertAbsent("a table", dump));
    }
  }

  @Test
  void theStoreInMemoryHoldsNoneEither() {
    SecretScenario secretScenario = new SecretScenario();
    Store store = new MemoryStore(InstantSource.system());
    assertComplete(secretScenario, secretScenario.run(Engine.builder().store(store)));
    StringBuilder all = new StringBuilder();
    for (long id = 1; id < 20; id++) {
      all.append(store.queries().input(id))
          .append(store.queries().variables(id))
          .append(store.queries().history(id, 0, 100))
          .append(store.queries().find(id));
    }
    assertThat(all.toString()).contains("$secret");
    SecretScenario.ALL.forEach(canary -> canary.assertAbsent("memory", all.toString()));
  }

  private static void assertComplete(SecretScenario secretScenario, String seen) {
    assertThat(secretScenario.read())
        .contains(SecretScenario.CARD.value(), SecretScenario.INPUT.value())
        .anyMatch(text -> text.contains(SecretScenario.PIN.value()));
    assertThat(seen)
        .contains("again: false", "clear: true", "\"$secret\":\"k1:", "***")
        .contains("refused: ", "The secret variable 'card'", "is secret, so that instances cannot")
        .doesNotContain("not refused", "clear: false");
    SecretScenario.ALL.forEach(canary -> canary.assertAbsent("what is seen", seen));
  }

  @Test
  @Tag("kills")
  void noLogLineShowsASecret() throws Exception {
    Process process =
        new JavaCommand("-Dorg.slf4j.simpleLogger.defaultLogLevel=trace")
            .builder(SecretLoggingProcess.class, List.of())
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("ended: ", "DEBUG", "***");
    SecretScenario.ALL.forEach(canary -> canary.assertAbsent("a log line", output));
  }

  private static String dump(String url) throws SQLException {
    StringBuilder all = new StringBuilder();
    try (Connection connection = DriverManager.getConnection(url);
        ResultSet tables =
            connection
                .createStatement()
                .executeQuery(
                    "SELECT table_schema, table_name FROM information_schema.tables"
                        + " WHERE lower(table_name) LIKE 'millrace%'"
                        + " AND table_schema IN (SELECT current_schema FROM (SELECT 1) one)")) {
      while (tables.next()) {
        all.append(dump(connection, tables.getString(2)));
      }
    }
    return all.toString();
  }

  private static String dump(Connection connection, String table) throws SQLException {
    StringBuilder all = new StringBuilder();
    try (ResultSet rows =
        connection.createStatement().executeQuery("SELECT * FROM \"" + table + '"')) {
      while (rows.next()) {
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          all.append(rows.getString(i)).append('\n');
        }
      }
    }
    return all.toString();
  }

  @Test
  void secretsWithoutAKeyAreRefusedAtTheStart() {
    assertThatThrownBy(() ->
            Engine.builder()
                .store(new MemoryStore(InstantSource.system()))
                .workflows(new SecretScenario().payment())
                .start())
        .isInstanceOf(DefinitionException.class)
        .hasMessageContaining("payment")
        .hasMessageContaining("[card, pin]")
        .hasMessageContaining("secretKey(");
  }

  private static WorkflowDefinition vault() {
    return WorkflowDefinition.of("vault")
        .start("wait", ctx -> Next.waitForSignal("open", "key", null, "waits"))
        .state("open", ctx -> Next.done("length " + ctx.get("word", String.class).length()))
        .secret("word")
        .retry(RetryPolicy.never())
        .build();
  }

  private static Engine engine(Store store, SecretKeys keys) {
    return Engine.builder()
        .store(store)
        .workflows(vault())
        .secretKey(keys)
        .settings(LongLease::of)
        .start();
  }

  @Test
  void anOlderKeyStillReadsAndKnowsARepeatedStart() {
    Store store = new MemoryStore(InstantSource.system());
    StartRequest request = StartRequest.of("vault").externalId("A").variable("word", "abracadabra");
    long id;
    try (Engine engine = engine(store, SecretScenario.key())) {
      id = engine.client().start(request).id();
    }
    SecretKeys rotated =
        SecretKeys.of("k2", SecretScenario.bytes(50)).reading("k1", SecretScenario.bytes(1));
    try (Engine engine = engine(store, rotated)) {
      assertThat(engine.client().start(request).created()).isFalse();
      assertThat(engine.client().variable(id, "word", String.class)).contains("abracadabra");
      engine.client().signal(id, "key");
      assertThat(engine.client().await(id, Patience.LIMIT).status())
          .isEqualTo(InstanceStatus.FINISHED);
      long newer = engine.client().start(request.externalId("B")).id();
      assertThat(engine.client().variables(newer).get("word")).contains("k2:");
    }
  }

  @Test
  void aMissingKeyEndsTheAttemptWithAnErrorThatNamesIt() {
    Store store = new MemoryStore(InstantSource.system());
    long id;
    try (Engine engine = engine(store, SecretScenario.key())) {
      id = engine.client().start(StartRequest.of("vault").variable("word", "abracadabra")).id();
    }
    try (Engine engine = engine(store, SecretKeys.of("k2", SecretScenario.bytes(50)))) {
      engine.client().signal(id, "key");
      assertThat(engine.client().await(id, Patience.LIMIT).status())
          .isEqualTo(InstanceStatus.FAILED);
      HistoryEntry last = engine.client().history(id).getLast();
      assertThat(last.outcome().reason())
          .contains("The secret variable 'word'", "key 'k1'", "it has [k2]");
      assertThatThrownBy(() -> engine.client().variable(id, "word", String.class))
          .isInstanceOf(CodecException.class)
          .hasMessageContaining("Add that key for reading");
    }
  }

  @Test
  void theSameValueIsNoChangeAndAnotherOneIs() {
    WorkflowDefinition job =
        WorkflowDefinition.of("job")
            .start(
                "one",
                ctx -> {
                  ctx.set("word", "abracadabra");
                  return Next.moveTo("two", "same");
                })
            .state(
                "two",
                ctx -> {
                  ctx.set("word", "open sesame");
                  return Next.done("other");
                })
            .secret("word")
            .build();
    try (Engine engine =
        Engine.builder()
            .store(new MemoryStore(InstantSource.system()))
            .workflows(job)
            .secretKey(SecretScenario.key())
            .settings(LongLease::of)
            .start()) {
      long id = engine.client().start(StartRequest.of("job").variable("word", "abracadabra")).id();
      engine.client().await(id, Patience.LIMIT);
      List<HistoryEntry> history = engine.client().history(id);
      assertThat(history.getFirst().outcome().variables()).isNull();
      assertThat(history.getLast().outcome().variables()).contains("$secret");
      assertThat(engine.client().variable(id, "word", String.class)).contains("open sesame");
    }
  }

  /** A caller cannot make the engine decrypt a sealed text that was copied from elsewhere. */
  @Test
  void aSealedTextThatIsGivenAsAValueIsAValue() {
    SecretCipher secretCipher = new SecretCipher(SecretScenario.key());
    String sealed = secretCipher.seal("it", "word", "\"abracadabra\"");
    Map<String, Object> forged = Map.of("$secret", sealed.substring(12, sealed.length() - 2));
    Store store = new MemoryStore(InstantSource.system());
    try (Engine engine = engine(store, SecretScenario.key())) {
      long id = engine.client().start(StartRequest.of("vault").variable("word", forged)).id();
      assertThat(engine.client().variable(id, "word", Map.class)).contains(forged);
    }
  }

  private static WorkflowDefinition collector() {
    return WorkflowDefinition.of("collector")
        .start(
            "begin",
            ctx -> {
              ctx.spawn(ctx.input(StartOfChild.class).request());
              return Next.waitForChildren("collect", "waits for it");
            })
        .state(
            "collect",
            ctx -> {
              ctx.set("collected", ctx.childVariables("word", Object.class));
              return Next.done("collected");
            })
        .retry(RetryPolicy.never())
        .build();
  }

  /** The type of a child and its variable "word". */
  record StartOfChild(String type, Object word) {
    StartRequest request() {
      return StartRequest.of(type).variable("word", word);
    }
  }

  /** Returns settings of engines that learn of each other's work by polls alone. */
  private static EngineSettings withQuickPolls(EngineSettings settings) {
    return LongLease.of(settings).maxSleep(Duration.ofMillis(20));
  }

  private static Object collected(Store store, String type, Object word) {
    WorkflowDefinition open =
        WorkflowDefinition.of("open").start("go", ctx -> Next.done("gone")).build();
    WorkflowDefinition sealed =
        WorkflowDefinition.of("sealed")
            .start("go", ctx -> Next.done("gone"))
            .secret("word")
            .build();
    try (Engine ofChildren =
            Engine.builder()
                .store(store)
                .workflows(open, sealed)
                .secretKey(SecretScenario.key())
                .settings(SecretLeakTest::withQuickPolls)
                .start();
        Engine engine =
            Engine.builder()
                .store(store)
                .workflows(collector())
                .secretKey(SecretScenario.key())
                .settings(SecretLeakTest::withQuickPolls)
                .start()) {
      assertThat(ofChildren.client().definitions()).hasSize(3);
      StartOfChild child = new StartOfChild(type, word);
      long id = engine.client().start(StartRequest.of("collector", child)).id();
      assertThat(engine.client().await(id, Patience.LIMIT).status())
          .isEqualTo(InstanceStatus.FINISHED);
      return engine.client().variable(id, "collected", List.class).orElseThrow().getFirst();
    }
  }

  /** The definition of the child decides, no matter where its values are read. */
  @Test
  void aSealedTextInAVariableOfAChildThatIsNotSecretStaysSealed() {
    String sealed = new SecretCipher(SecretScenario.key()).seal("it", "word", "\"abracadabra\"");
    Map<String, Object> copied = Map.of("$secret", sealed.substring(12, sealed.length() - 2));
    assertThat(collected(new MemoryStore(InstantSource.system()), "open", copied))
        .isEqualTo(copied);
    assertThat(collected(new MemoryStore(InstantSource.system()), "sealed", "abracadabra"))
        .isEqualTo("abracadabra");
    assertThat(collected(new MemoryStore(InstantSource.system()), "sealed", copied))
        .isEqualTo(copied);
  }
}
