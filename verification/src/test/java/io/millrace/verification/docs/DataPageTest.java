package io.millrace.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.data.KeyContent;
import io.millrace.data.KeyStatus;
import io.millrace.data.KeyValue;
import io.millrace.data.KeyValues;
import io.millrace.data.KeyWriteResult;
import io.millrace.data.Reduce;
import io.millrace.data.ReduceAction;
import io.millrace.data.ReduceSource;
import io.millrace.data.ReducedRecord;
import io.millrace.data.Reduction;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/data.md}. */
class DataPageTest {

  private final List<String> loaded = new ArrayList<>();

  record Customer(String id, String name, String lastSeen) {}

  private static ManualEngine engine() {
    return ManualEngine.with(
        WorkflowDefinition.of("nothing").start("begin", ctx -> Next.done("done")).build());
  }

  @Test
  void ofTwoWhoSetWhatIsAbsentOneIsTold() {
    try (ManualEngine manual = engine()) {
      KeyValues values = manual.engine().keyValues();
      // docs:keys
      KeyWriteResult first =
          values.setIfAbsent(
              "close",
              "2026-11-22",
              KeyContent.of("begun")
                  .status(KeyStatus.IN_PROGRESS)
                  .expiresAfter(Duration.ofDays(30)));
      KeyValue read = values.get("close", "2026-11-22").orElseThrow();
      KeyWriteResult second =
          values.compareAndSet("close", "2026-11-22", read.version(), KeyContent.of("done"));
      // docs:end
      assertThat(first.isWritten()).isTrue();
      assertThat(second.isWritten()).isTrue();
      assertThat(
              values
                  .compareAndSet("close", "2026-11-22", read.version(), KeyContent.of("late"))
                  .isWritten())
          .isFalse();
    }
  }

  private static List<Customer> crm(String name) {
    return List.of(new Customer("A-1", name, name + " was here"), new Customer("A-2", "Bob", ""));
  }

  private boolean load(Customer customer) {
    loaded.add(customer.name());
    return !customer.name().equals("Bill");
  }

  @Test
  void onlyNewAndChangedRecordsArePassedOn() {
    List<List<Customer>> source = new ArrayList<>(List.of(crm("Ann"), crm("Ann"), crm("Bill")));
    // docs:reduce
    WorkflowDefinition sync =
        WorkflowDefinition.of("sync")
            .start(
                "load",
                ctx -> {
                  Reduction<Customer> reduction =
                      ctx.reduce("customers")
                          .key("/id")
                          .ignore("/lastSeen")
                          .reduce(source.removeFirst());
                  for (ReducedRecord<Customer> record : reduction.changed()) {
                    if (load(record.value())) {
                      record.commit();
                    }
                  }
                  return Next.done(reduction.unchanged() + " were passed over");
                })
            .build();
    // docs:end
    try (ManualEngine manual = ManualEngine.with(sync)) {
      for (int i = 0; i < 3; i++) {
        manual.client().start(StartRequest.of("sync"));
        manual.runUntilIdle();
      }
      assertThat(loaded).containsExactly("Ann", "Bob", "Bill");
    }
  }

  @Test
  void documentsAreReducedAsTheyAre() {
    try (ManualEngine manual = engine()) {
      // docs:document
      Reduce customers = manual.engine().reduce("customers").key("@id");
      ReduceSource source = ReduceSource.xml("/Customers/Customer");
      String xml = "<Customers><Customer id=\"1\"/><Customer id=\"2\"/></Customers>";
      String first = customers.document(ReduceAction.REDUCE_COMMIT, source, xml);
      String second = customers.document(ReduceAction.REDUCE_COMMIT, source, xml);
      // docs:end
      assertThat(first).contains("id=\"1\"", "id=\"2\"");
      assertThat(second).isEqualTo("<Customers></Customers>");
    }
  }
}
