package io.millrace.store;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The rule for attached writes that no feature of a store can write: what carries them is refused
 * before anything is written.
 */
public final class AttachedWriteRules {

  private AttachedWriteRules() {}

  /**
   * Checks a transition and the starts of its children.
   *
   * @param known true for a type of writes that the store has tables for
   * @param lack says for the refusal which tables the store has, and what to do
   */
  public static void check(SaveRequest save, Predicate<Class<?>> known, Supplier<String> lack) {
    if (!save.attached().stream().allMatch(write -> known.test(write.getClass()))) {
      throw refused(
          "The transition of instance "
              + save.fence().instanceId()
              + " to state '"
              + save.target().state()
              + "'",
          save.attached(),
          known,
          lack);
    }
    save.changes().children().forEach(child -> check(child, known, lack));
  }

  /**
   * Checks a start.
   *
   * @param known true for a type of writes that the store has tables for
   * @param lack says for the refusal which tables the store has, and what to do
   */
  public static void check(NewInstance instance, Predicate<Class<?>> known, Supplier<String> lack) {
    if (!instance.attached().stream().allMatch(write -> known.test(write.getClass()))) {
      throw refused(
          "The start of workflow '"
              + instance.origin().type()
              + "' in state '"
              + instance.startState()
              + "'",
          instance.attached(),
          known,
          lack);
    }
  }

  private static StoreException refused(
      String carrier,
      List<AttachedWrite> attached,
      Predicate<Class<?>> known,
      Supplier<String> lack) {
    return StoreException.permanent(
        carrier
            + " writes "
            + attached.stream()
                .<Class<?>>map(AttachedWrite::getClass)
                .filter(known.negate())
                .map(Class::getName)
                .distinct()
                .collect(Collectors.joining(", "))
            + ", for which this store has no tables: "
            + lack.get());
  }
}
