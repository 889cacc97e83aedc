package io.millrace.verification.store;

import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * An operation of the store that may fail half-way.
 *
 * @param setUp makes the state before, and answers with the operation
 * @param different tables and columns in which a repeated operation may rightly differ
 */
record FaultCase(String name, Function<FaultFixture, Operation> setUp, Set<String> different) {

  /**
   * The operation, and how its caller repeats it.
   *
   * @param repeat what a caller does who has seen an error
   */
  record Operation(Call call, Call repeat) {

    /** The caller asks again, as the engine does for all that it writes. */
    static Operation again(Call call) {
      return new Operation(call, call);
    }

    /** A person, or a program without an id, looks first. */
    static Operation unless(BooleanSupplier done, Call call) {
      return new Operation(
          call,
          () -> {
            if (!done.getAsBoolean()) {
              call.run();
            }
          });
    }
  }

  /** May be refused by the store or, where the transaction is the caller's, by the driver. */
  @FunctionalInterface
  interface Call {
    void run() throws Exception;
  }

  static FaultCase operation(String name, Function<FaultFixture, Operation> setUp) {
    return new FaultCase(name, setUp, Set.of());
  }

  FaultCase ignoring(String... names) {
    return new FaultCase(name, setUp, Set.of(names));
  }

  @Override
  public String toString() {
    return name;
  }
}
