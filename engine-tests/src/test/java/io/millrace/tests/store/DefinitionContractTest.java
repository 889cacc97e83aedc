package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.store.DefinitionStore;
import io.millrace.store.DefinitionStore.StoredDefinition;
import org.junit.jupiter.api.Test;

class DefinitionContractTest extends StoreContract {

  DefinitionContractTest(StoreFixture subject) {
    super(subject);
  }

  private DefinitionStore definitions() {
    return store.definitions();
  }

  @Test
  void aNewDefinitionReplacesNothing() {
    DefinitionStore.Saved saved = definitions().save(type, 2, "h2", "{\"a\":1}");

    assertThat(saved.replaced()).isFalse();
    assertThat(definitions().find(type, 2))
        .contains(new StoredDefinition(saved.id(), type, 2, "h2", "{\"a\":1}"));
  }

  @Test
  void theSameHashKeepsTheStoredOne() {
    DefinitionStore.Saved again = definitions().save(type, 1, "hash", "{\"other\":1}");

    assertThat(again).isEqualTo(new DefinitionStore.Saved(definition, false));
    assertThat(definitions().find(type, 1).orElseThrow().document()).isEqualTo("{}");
  }

  @Test
  void anotherHashReplacesDocumentAndHashUnderTheSameId() {
    DefinitionStore.Saved again = definitions().save(type, 1, "other", "{\"b\":2}");

    assertThat(again).isEqualTo(new DefinitionStore.Saved(definition, true));
    assertThat(definitions().find(type, 1))
        .contains(new StoredDefinition(definition, type, 1, "other", "{\"b\":2}"));
  }

  @Test
  void latestIsTheHighestVersionHoweverLateItCame() {
    definitions().save(type, 10, "h", "{}");
    definitions().save(type, 9, "h", "{}");

    assertThat(definitions().latest(type).orElseThrow().version()).isEqualTo(10);
  }

  @Test
  void unknownTypesAndVersionsAreEmpty() {
    assertThat(definitions().latest("nobody")).isEmpty();
    assertThat(definitions().find("nobody", 1)).isEmpty();
    assertThat(definitions().find(type, 99)).isEmpty();
  }

  @Test
  void listIsOrderedByTypeAndVersion() {
    definitions().save(type + "-b", 10, "h", "{}");
    definitions().save(type + "-b", 2, "h", "{}");
    definitions().save(type + "-a", 3, "h", "{}");

    assertThat(definitions().list())
        .filteredOn(d -> d.type().startsWith(type + "-"))
        .extracting(d -> d.type() + " " + d.version())
        .containsExactly(type + "-a 3", type + "-b 2", type + "-b 10");
  }

  @Test
  void aLargeDocumentComesBackAsItWas() {
    String document = "{\"text\":\"" + "ä€😀\\u0000 ".repeat(50_000) + "\"}";
    definitions().save(type, 3, "h", document);

    assertThat(definitions().find(type, 3).orElseThrow().document()).isEqualTo(document);
  }
}
