package io.millrace.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.data.KeyValue;
import io.millrace.demo.shop.PriceLists;
import io.millrace.demo.shop.TillWorkflow;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the continuous workflows of the demo. */
final class ContinuousDemoTest {

  private static final Duration LOOK = Duration.ofSeconds(10);

  @TempDir private Path folder;
  private Demo demo;
  private ManualEngine engine;

  @BeforeEach
  void start() {
    demo = Demo.open(folder, folder.resolve("none"), EngineRuntime.system(), 1);
    engine =
        ManualEngine.with(
            ManualEngine.defaultSettings(),
            MemoryStore::new,
            builder -> {
              demo.addTo(builder);
              return builder;
            });
    engine.advance(LOOK);
  }

  @AfterEach
  void stop() {
    engine.close();
    demo.close();
  }

  private void drop(String name, String content) throws IOException {
    Files.writeString(demo.inbox().resolve(name), content);
    engine.advance(LOOK);
  }

  private List<WorkflowInstance> find(String type) {
    return engine.client().search(InstanceQuery.all().type(type).limit(100)).items();
  }

  private String price(String sku) {
    return engine
        .engine()
        .keyValues()
        .get(PriceLists.PRICES, sku)
        .map(KeyValue::value)
        .orElse("none");
  }

  @Test
  void eachPriceThatIsNewOrChangedStartsOneInstance() throws IOException {
    assertThat(find(PriceLists.CHANGE)).hasSize(3);
    assertThat(price("lamp")).isEqualTo("1990");

    String again = Files.readString(demo.inbox().resolve("prices.json"));
    drop("copy.json", again);
    assertThat(find(PriceLists.WATCH)).hasSize(2);
    assertThat(find(PriceLists.CHANGE)).hasSize(3);

    drop("prices.json", again.replace("1990", "2190"));
    assertThat(find(PriceLists.WATCH)).hasSize(3);
    assertThat(find(PriceLists.CHANGE))
        .hasSize(4)
        .first()
        .satisfies(one -> assertThat(one.origin().businessKey()).isEqualTo("lamp"));
    assertThat(price("lamp")).isEqualTo("2190");
  }

  @Test
  void whatIsNoListFailsAndTheNextOneIsTaken() throws IOException {
    drop("a.json", "no JSON");
    drop("b.json", "[{\"cents\": 1}, {\"sku\": \"rug\", \"cents\": 700}]");

    assertThat(find(PriceLists.WATCH))
        .extracting(WorkflowInstance::reason)
        .contains(
            "a.json is no list of prices such as [{\"sku\": \"lamp\", \"cents\": 1990}]",
            "all changes are made");
    assertThat(price("rug")).isEqualTo("700");
  }

  @Test
  void theTillIsCountedOnceAnHourAndContinued() {
    engine.advance(Duration.ofMinutes(119));

    assertThat(engine.engine().periodLedger().keys(null, 10))
        .contains("guard:" + TillWorkflow.WATCH);
    StoredContinuousWorkflow till = engine.engine().continuous().get(TillWorkflow.WATCH);
    assertThat(till.run().generation()).isGreaterThan(5);
    assertThat(till.activity().fires()).isBetween(115L, 125L);
  }
}
