package io.millrace.tests.store;

import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * An operation of the store that may fail halfway.
 *
 * @param setUp creates the state before, and returns the operation
 * @param different tables and columns in which a repeated operation may legitimately differ
 * @param firstPart what the operation commits before the rest, whose result a fault may leave
 */
record FaultCase(
    String name,
    Function<FaultFixture, Operation> setUp,
    Set<String> different,
    Consumer<FaultFixture> firstPart) {

  /**
   * An operation, and its repetition by the caller.
   *
   * @param repeat call that a caller makes after an error
   */
  record Operation(Call call, Call repeat) {

    /**
     * Returns an operation that its caller repeats unchanged, as the engine does for all its
     * writes.
     */
    static Operation again(Call call) {
      return new Operation(call, call);
    }

    /**
     * Returns an operation whose caller checks first whether it was done, as a person or a program
     * without an id does.
     */
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

  /** A call that the store may reject or, if the transaction is the caller's, the driver. */
  @FunctionalInterface
  interface Call {
    void run() throws Exception;
  }

  static FaultCase operation(String name, Function<FaultFixture, Operation> setUp) {
    return new FaultCase(name, setUp, Set.of(), s -> {});
  }

  FaultCase ignoring(String... names) {
    return new FaultCase(name, setUp, Set.of(names), firstPart);
  }

  FaultCase committingFirst(Consumer<FaultFixture> part) {
    return new FaultCase(name, setUp, different, part);
  }

  @Override
  public String toString() {
    return name;
  }
}
