package io.millrace.tests.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.data.ChangeType;
import io.millrace.data.Reduce;
import io.millrace.data.ReduceAction;
import io.millrace.data.ReduceSource;
import io.millrace.data.ReducedRecord;
import io.millrace.data.Reduction;
import io.millrace.definition.Next;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.InvalidRequestException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that only new and changed records are passed on. */
class ReduceTest extends EngineFixture {

  record Customer(Integer id, String name) {}

  private static final ReduceSource LIST = ReduceSource.json("");
  private static final ReduceSource XML = ReduceSource.xml("/Customers/Customer");

  private Reduce plain;
  private Reduce keyed;

  @BeforeEach
  void begin() {
    run(job(ctx -> Next.done("x")).build());
    plain = engine.engine().reduce("plain");
    keyed = engine.engine().reduce("keyed").key("/id");
  }

  private static List<Customer> customers(Reduction<Customer> reduction) {
    return reduction.changed().stream().map(ReducedRecord::value).toList();
  }

  private static String passedOn(Reduce reduce, String document) {
    return reduce.document(ReduceAction.REDUCE_COMMIT, LIST, document);
  }

  @Test
  void withoutKeyAContentThatReturnsIsPassedOver() {
    assertThat(passedOn(plain, "[{\"a\":1}]")).isEqualTo("[{\"a\":1}]");
    assertThat(passedOn(plain, "[{\"a\":2}]")).isEqualTo("[{\"a\":2}]");
    assertThat(passedOn(plain, "[{\"a\":1}]")).isEqualTo("[]");
  }

  @Test
  void withKeyAContentThatReturnsIsPassedOn() {
    assertThat(passedOn(keyed, "[{\"id\":7,\"a\":1}]")).contains("7");
    assertThat(passedOn(keyed, "[{\"id\":7,\"a\":2}]")).contains("7");
    assertThat(passedOn(keyed, "[{\"id\":7,\"a\":2}]")).isEqualTo("[]");
    assertThat(passedOn(keyed, "[{\"id\":7,\"a\":1}]")).contains("7");
  }

  @Test
  void whatIsOnlyReducedComesAgainUntilItIsCommitted() {
    String document = "{\"at\":1,\"customers\":[{\"id\":1},{\"id\":2}]}";
    ReduceSource source = ReduceSource.json("$.customers");
    assertThat(keyed.document(ReduceAction.REDUCE, source, document)).isEqualTo(document);
    assertThat(keyed.document(ReduceAction.REDUCE, source, document)).isEqualTo(document);

    keyed.document(ReduceAction.COMMIT, source, "{\"customers\":[{\"id\":2}]}");

    assertThat(keyed.document(ReduceAction.REDUCE, source, document))
        .isEqualTo("{\"at\":1,\"customers\":[{\"id\":1}]}");
  }

  @Test
  void tokensCommitWhatWasSeenWithoutTheOriginal() {
    String first = "[{\"id\":1,\"a\":1},{\"id\":2,\"a\":1}]";
    String withTokens = keyed.document(ReduceAction.REDUCE_WITH_TOKENS, LIST, first);
    assertThat(withTokens).contains("__KeyToken", "__ValueToken");
    String rebuilt = withTokens.replace("\"a\":1", "\"mapped\":true");

    keyed.document(ReduceAction.COMMIT_WITH_TOKENS, LIST, rebuilt);

    assertThat(keyed.document(ReduceAction.REDUCE, LIST, first)).isEqualTo("[]");
    assertThat(keyed.document(ReduceAction.REDUCE, LIST, "[{\"id\":1,\"a\":2},{\"id\":2,\"a\":1}]"))
        .isEqualTo("[{\"id\":1,\"a\":2}]");
    assertThatThrownBy(() -> keyed.document(ReduceAction.COMMIT_WITH_TOKENS, LIST, first))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("Record 0")
        .hasMessageContaining("__KeyToken");
  }

  @Test
  void formDoesNotCountUnlessAsked() {
    passedOn(keyed, "[{\"id\":1,\"a\":1.50,\"b\":[1e2,\"ä\"]}]");

    assertThat(passedOn(keyed, "[ {\"b\": [100, \"\\u00e4\"], \"a\":1.5, \"id\":1} ]"))
        .isEqualTo("[]");
    assertThat(passedOn(keyed, "[{\"id\":1,\"a\":1.5,\"b\":[\"ä\",100]}]")).contains("1.5");
    Reduce written = engine.engine().reduce("written").key("$.id").asWritten();
    passedOn(written, "[{\"id\":1,\"a\":1}]");
    assertThat(passedOn(written, "[{\"a\":1,\"id\":1}]")).contains("a");
  }

  @Test
  void longNumbersAreKeptApart() {
    passedOn(plain, "[9007199254740993]");

    assertThat(passedOn(plain, "[9007199254740992]")).isEqualTo("[9007199254740992]");
    assertThat(passedOn(plain, "[9007199254740993]")).isEqualTo("[]");
  }

  @Test
  void partsMayBeLeftOut() {
    Reduce some = keyed.ignore("/modified", "/deep/at");
    passedOn(some, "[{\"id\":1,\"modified\":1,\"deep\":{\"at\":1,\"v\":1}}]");
    assertThat(passedOn(some, "[{\"id\":1,\"modified\":2,\"deep\":{\"at\":2,\"v\":1}}]"))
        .isEqualTo("[]");
    assertThat(passedOn(some, "[{\"id\":1,\"modified\":2,\"deep\":{\"at\":2,\"v\":2}}]"))
        .isNotEqualTo("[]");

    Reduce only = engine.engine().reduce("only").key("/id").only("/name");
    passedOn(only, "[{\"id\":1,\"name\":\"a\",\"x\":1}]");
    assertThat(passedOn(only, "[{\"id\":1,\"name\":\"a\",\"x\":2}]")).isEqualTo("[]");
    assertThat(passedOn(only, "[{\"id\":1,\"name\":\"b\",\"x\":2}]")).isNotEqualTo("[]");
  }

  @Test
  void aSecretChangesEveryHash() {
    passedOn(keyed, "[{\"id\":1}]");

    assertThat(passedOn(keyed.secret(new byte[] {1, 2, 3}), "[{\"id\":1}]")).isNotEqualTo("[]");
    assertThat(passedOn(keyed.secret(new byte[] {1, 2, 3}), "[{\"id\":1}]")).isEqualTo("[]");
  }

  @Test
  void typedRecordsAreCommittedOneByOne() {
    List<Customer> all = List.of(new Customer(1, "ann"), new Customer(2, "bob"));
    Reduction<Customer> first = keyed.reduce(all);
    assertThat(customers(first)).isEqualTo(all);
    assertThat(first.changed()).extracting(ReducedRecord::change).containsOnly(ChangeType.NEW);
    first.changed().getFirst().commit();

    Reduction<Customer> second = keyed.reduce(List.of(new Customer(1, "eve"), all.getLast()));
    assertThat(second.changed())
        .extracting(ReducedRecord::change)
        .containsExactly(ChangeType.CHANGED, ChangeType.NEW);
    second.commit();
    assertThat(keyed.reduce(all).changed())
        .extracting(ReducedRecord::value)
        .containsExactly(all.getFirst());
    assertThat(keyed.reduce(List.of(new Customer(1, "eve"))).unchanged()).isEqualTo(1);
  }

  @Test
  void theIdempotencyKeyIsThatOfTheContent() {
    ReducedRecord<Customer> one = keyed.reduce(List.of(new Customer(1, "a"))).changed().getFirst();
    ReducedRecord<Customer> again =
        keyed.reduce(List.of(new Customer(1, "a"))).changed().getFirst();
    ReducedRecord<Customer> other =
        keyed.reduce(List.of(new Customer(1, "b"))).changed().getFirst();

    assertThat(again.idempotencyKey()).isEqualTo(one.idempotencyKey());
    assertThat(other.idempotencyKey()).isNotEqualTo(one.idempotencyKey());
  }

  private String keyOf(String name) {
    return keyed.reduce(List.of(new Customer(1, name))).changed().getFirst().idempotencyKey();
  }

  @Test
  void aContentThatReturnsHasAnotherIdempotencyKey() {
    List<String> keys = new ArrayList<>();
    for (String name : List.of("a", "b", "a", "b")) {
      keys.add(keyOf(name));
      assertThat(keyOf(name)).isEqualTo(keys.getLast());
      keyed.reduce(List.of(new Customer(1, name))).commit();
    }
    keyed.forget(List.of("1"));
    keys.add(keyOf("b"));
    keyed.detectDeletions(100).reduce(List.of(new Customer(1, "b"))).commit();
    keyed.detectDeletions(100).reduce(List.<Customer>of()).deleted().getFirst().commit();
    keys.add(keyOf("b"));
    keyed.reset();
    keys.add(keyOf("a"));
    assertThat(keys).hasSize(7).doesNotHaveDuplicates();
  }

  @Test
  void ofAKeyThatComesMoreThanOnceInARequestTheLastCounts() {
    keyed.reduce(List.of(new Customer(1, "a"))).commit();

    Reduction<Customer> back = keyed.reduce(List.of(new Customer(1, "b"), new Customer(1, "a")));
    assertThat(back.changed()).isEmpty();
    assertThat(back.unchanged()).isEqualTo(2);

    Reduction<Customer> changed =
        keyed.reduce(
            List.of(
                new Customer(1, "b"),
                new Customer(2, "x"),
                new Customer(1, "c"),
                new Customer(2, "x")));
    assertThat(customers(changed)).containsExactly(new Customer(1, "c"), new Customer(2, "x"));
    assertThat(changed.unchanged()).isEqualTo(2);
    assertThat(passedOn(keyed, "[{\"id\":9,\"a\":1},{\"id\":9,\"a\":2}]"))
        .isEqualTo("[{\"id\":9,\"a\":2}]");
  }

  @Test
  void aDeletedRecordWhoseKeyIsNotKnownIsRefused() {
    Reduce full = keyed.detectDeletions(100);
    keyed.reduce(List.of(new Customer(1, "a"), new Customer(2, "b"))).commit();

    assertThatThrownBy(() -> full.reduce(List.of(new Customer(1, "a"))))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("1 records of group 'keyed'")
        .hasMessageContaining("without detectDeletions(...)");

    // A read of all records stores their keys, including those of unchanged records.
    full.reduce(List.of(new Customer(1, "a"), new Customer(2, "b")));
    assertThat(full.reduce(List.of(new Customer(1, "a"))).deleted())
        .extracting(Reduction.Deleted::key)
        .containsExactly("2");
  }

  @Test
  void documentsKeepTheKeysOfWhatTheyCommit() {
    Reduce full = keyed.detectDeletions(100);
    full.document(ReduceAction.COMMIT, LIST, "[{\"id\":1},{\"id\":2}]");
    full.document(
        ReduceAction.COMMIT_WITH_TOKENS,
        LIST,
        full.document(ReduceAction.REDUCE_WITH_TOKENS, LIST, "[{\"id\":1},{\"id\":2},{\"id\":3}]"));

    assertThat(full.reduce(List.<Customer>of()).deleted())
        .extracting(Reduction.Deleted::key)
        .containsExactlyInAnyOrder("1", "2", "3");
  }

  @Test
  void whatIsReservedIsNotPassedOnTwice() {
    Reduce mine = keyed.reserve(Duration.ofMinutes(15));
    Reduction<Customer> first = mine.reduce(List.of(new Customer(1, "a"), new Customer(2, "b")));
    Reduce others = engine.engine().reduce("keyed").key("/id").reserve(Duration.ofMinutes(15));

    assertThat(others.reduce(List.of(new Customer(1, "a"))).reserved()).isEqualTo(1);
    first.changed().getFirst().release();
    assertThat(others.reduce(List.of(new Customer(1, "a"))).changed()).hasSize(1);
    engine.advance(Duration.ofMinutes(16));
    assertThat(others.reduce(List.of(new Customer(2, "b"))).changed()).hasSize(1);
  }

  @Test
  void aRefusedEmptySourceKeepsWhatWasReservedBefore() {
    Reduce full = keyed.detectDeletions(0).reserve(Duration.ofMinutes(15));
    full.reduce(List.of(new Customer(1, "a"))).commit();
    full.reduce(List.of(new Customer(1, "b")));

    assertThatThrownBy(() -> full.reduce(List.<Customer>of()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("lacks 1");

    Reduce others = engine.engine().reduce("keyed").key("/id").reserve(Duration.ofMinutes(15));
    assertThat(others.reduce(List.of(new Customer(1, "c"))).reserved()).isEqualTo(1);
  }

  @Test
  void aRecordWithoutKeyIsAFaultAndTheOthersAreFine() {
    Reduction<Customer> reduction =
        keyed.reduce(List.of(new Customer(1, "a"), new Customer(null, "b"), new Customer(3, "c")));

    assertThat(customers(reduction)).extracting(Customer::id).containsExactly(1, 3);
    assertThat(reduction.faults())
        .singleElement()
        .satisfies(fault -> assertThat(fault.index()).isEqualTo(1))
        .satisfies(fault -> assertThat(fault.message()).contains("Record 1", "/id"));
    assertThatThrownBy(() -> passedOn(keyed, "[{\"id\":1},{\"x\":2}]"))
        .hasMessageContaining("Record 1")
        .hasMessageContaining("/id");
  }

  @Test
  void whatIsOldOrTooMuchIsForgotten() {
    Reduce aged = keyed.retention(Duration.ofDays(1));
    assertThat(customers(aged.reduce(List.of(new Customer(1, "a"))))).hasSize(1);
    aged.reduce(List.of(new Customer(1, "a"))).commit();
    engine.advance(Duration.ofHours(23));
    assertThat(customers(aged.reduce(List.of(new Customer(1, "a"))))).isEmpty();
    engine.advance(Duration.ofHours(2));
    assertThat(customers(aged.reduce(List.of(new Customer(1, "a"))))).hasSize(1);

    Reduce few = keyed.maxEntries(2);
    for (int id = 1; id <= 3; id++) {
      few.reduce(List.of(new Customer(id, "a"))).commit();
    }
    assertThat(
            customers(
                few.reduce(
                    List.of(new Customer(1, "a"), new Customer(2, "a"), new Customer(3, "a")))))
        .extracting(Customer::id)
        .containsExactly(1);
    assertThatThrownBy(() -> keyed.maxEntries(-1)).hasMessageContaining("is -1");
    assertThatThrownBy(() -> keyed.retention(Duration.ZERO)).hasMessageContaining("PT0S");
  }

  @Test
  void aKeyThatCannotBeKeptIsAFaultOfItsRecordOnly() {
    for (Reduce reduce : List.of(keyed, keyed.detectDeletions(100))) {
      Reduction<Map<String, String>> reduction =
          reduce.reduce(
              List.of(
                  Map.of("id", "k".repeat(1_001)),
                  Map.of("id", " "),
                  Map.of("id", "k".repeat(1_000))));

      assertThat(reduction.changed()).singleElement().extracting(ReducedRecord::value).isNotNull();
      assertThat(reduction.faults())
          .extracting(Reduction.Fault::message)
          .containsExactly(
              "Record 0 has a key of 1001 characters; expected 1 to 1000, not blank, without NUL or"
                  + " half of a surrogate pair.",
              "Record 1 has a key of 1 characters; expected 1 to 1000, not blank, without NUL or"
                  + " half of a surrogate pair.");
    }
  }

  @Test
  void whatTheSourceNoLongerHasIsDeletedUnlessItIsTooMuch() {
    Reduce full = keyed.detectDeletions(50);
    List<Customer> all =
        IntStream.rangeClosed(1, 4).mapToObj(i -> new Customer(i, "n" + i)).toList();
    full.reduce(all).commit();

    assertThatThrownBy(() -> full.reduce(all.subList(0, 1)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("lacks 3")
        .hasMessageContaining("50 %");
    Reduction<Customer> reduction = full.reduce(all.subList(0, 2));
    assertThat(reduction.deleted())
        .extracting(Reduction.Deleted::key)
        .containsExactlyInAnyOrder("3", "4");
    reduction.commit();
    assertThat(full.reduce(all.subList(0, 2)).deleted()).isEmpty();
    assertThat(full.reduce(all).changed())
        .extracting(ReducedRecord::change)
        .containsOnly(ChangeType.NEW);
  }

  @Test
  void aResetMakesEverythingNew() {
    passedOn(keyed, "[{\"id\":1},{\"id\":2}]");
    assertThat(keyed.forget(List.of("1"))).isEqualTo(1);
    assertThat(passedOn(keyed, "[{\"id\":1},{\"id\":2}]")).isEqualTo("[{\"id\":1}]");

    assertThat(keyed.reset()).isEqualTo(2);

    assertThat(passedOn(keyed, "[{\"id\":1},{\"id\":2}]")).isEqualTo("[{\"id\":1},{\"id\":2}]");
  }

  private static final String CUSTOMERS =
      "<Customers><Customer id=\"1\"><Name>Ann</Name></Customer>"
          + "<Customer id=\"2\"><Name>Bob &amp; Co</Name></Customer></Customers>";

  @Test
  void recordsInXml() {
    Reduce xml = engine.engine().reduce("xml").key("@id");
    assertThat(xml.document(ReduceAction.REDUCE_COMMIT, XML, CUSTOMERS)).isEqualTo(CUSTOMERS);

    assertThat(xml.document(ReduceAction.REDUCE_COMMIT, XML, CUSTOMERS))
        .isEqualTo("<Customers></Customers>");
    String spaced =
        CUSTOMERS.replace("><", ">\n  <").replace("Ann", "Eve").replace("<Name>Eve", "<Name>Eve");
    assertThat(xml.document(ReduceAction.REDUCE, XML, spaced))
        .contains("Eve")
        .doesNotContain("Bob");
    String withTokens = xml.document(ReduceAction.REDUCE_WITH_TOKENS, XML, spaced);
    xml.document(ReduceAction.COMMIT_WITH_TOKENS, XML, withTokens);
    assertThat(xml.document(ReduceAction.REDUCE, XML, spaced)).isEqualTo("<Customers></Customers>");
  }

  @Test
  void prefixesOfXmlDoNotCount() {
    ReduceSource source =
        new ReduceSource(ReduceSource.Format.XML, "/c:cs/c:c", Map.of("c", "urn:x"));
    Reduce xml = engine.engine().reduce("ns").key("c:id");
    xml.document(
        ReduceAction.COMMIT,
        source,
        "<a:cs xmlns:a='urn:x'><a:c q='1' p='2'><a:id>7</a:id></a:c></a:cs>");

    assertThat(
            xml.document(
                ReduceAction.REDUCE,
                source,
                "<cs xmlns='urn:x'><c p='2' q='1'><!-- x --><id>7</id></c></cs>"))
        .isEqualTo("<cs xmlns=\"urn:x\"></cs>");
  }

  @Test
  void entitiesAndBrokenDocumentsAreRefused() {
    Reduce xml = engine.engine().reduce("xml").key("@id");
    assertThatThrownBy(() ->
            xml.document(
                ReduceAction.REDUCE,
                XML,
                "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><Customers/>"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("DOCTYPE");
    assertThatThrownBy(() -> passedOn(keyed, "{\"a\":1}"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("array");
    assertThatThrownBy(() -> passedOn(keyed, "[1"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("must be JSON");
    assertThatThrownBy(() -> xml.document(ReduceAction.REDUCE, ReduceSource.xml("/["), CUSTOMERS))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("XPath");
  }
}
