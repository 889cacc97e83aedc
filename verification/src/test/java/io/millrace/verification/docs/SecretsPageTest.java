package io.millrace.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.codec.SecretKeys;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.LongLease;
import io.millrace.fixtures.Patience;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.testing.MemoryStore;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/secrets.md}. */
class SecretsPageTest {

  private static Next charge(String cardNumber) {
    return Next.done("charged " + cardNumber);
  }

  @Test
  void aCardNumberIsChargedAndNotShown() {
    byte[] newKey = new byte[SecretKeys.LENGTH];
    byte[] oldKey = {
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
      27, 28, 29, 30, 31, 32
    };

    // docs:definition
    WorkflowDefinition payment =
        WorkflowDefinition.of("payment")
            .start("charge", ctx -> charge(ctx.get("cardNumber", String.class)))
            .secret("cardNumber")
            .secretInput()
            .build();
    // docs:end

    // docs:key
    SecretKeys keys = SecretKeys.of("2026-11", newKey).reading("2025", oldKey);
    // docs:end

    try (Engine engine =
        Engine.builder()
            .store(new MemoryStore(InstantSource.system()))
            .workflows(payment)
            .secretKey(keys)
            .settings(LongLease::of)
            .start()) {
      long id =
          engine
              .client()
              .start(StartRequest.of("payment").variable("cardNumber", "4111-1111"))
              .id();
      assertThat(engine.client().await(id, Patience.LIMIT).status())
          .isEqualTo(InstanceStatus.FINISHED);
      assertThat(engine.client().get(id).position().reason()).isEqualTo("charged ***");
      assertThat(engine.client().variables(id).get("cardNumber")).contains("2026-11:");
      assertThat(engine.client().variable(id, "cardNumber", String.class)).contains("4111-1111");
    }
  }
}
