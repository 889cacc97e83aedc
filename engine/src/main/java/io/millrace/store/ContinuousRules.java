package io.millrace.store;

import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StorableText;
import io.millrace.store.ContinuousStore.Registration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules for the names and stored values of continuous workflows. Pure; used by every store. */
public final class ContinuousRules {

  /** Maximum number of characters of a name, and of the key of an offered event. */
  public static final int MAX_NAME = 200;

  /** Maximum number of characters of a position. */
  public static final int MAX_POSITION = 100_000;

  /** Maximum number of characters of an item of a trigger's memory. */
  public static final int MAX_ITEM = 200;

  /** Maximum number of characters of the payload of an offered event. */
  public static final int MAX_PAYLOAD = 1_000_000;

  private static final int MAX_WORD = 100;

  private ContinuousRules() {}

  /**
   * Rejects workflows that no store can keep, and two with the same name.
   *
   * @throws InvalidRequestException if there are any
   */
  public static void check(List<Registration> workflows) {
    Set<String> names = new HashSet<>();
    for (Registration workflow : workflows) {
      StoredContinuousWorkflow.Identity identity = workflow.identity();
      within("The name of a continuous workflow", identity.name(), MAX_NAME);
      String whose = " of continuous workflow '" + identity.name() + "'";
      within("The executor group" + whose, identity.executorGroup(), MAX_WORD);
      within("The type" + whose, identity.type(), MAX_WORD);
      storable("The settings" + whose, identity.settings());
      if (!names.add(identity.name())) {
        throw new InvalidRequestException(
            "Two continuous workflows are called '"
                + identity.name()
                + "'; expected a name for each.");
      }
    }
  }

  /**
   * Rejects a position that no store can keep.
   *
   * @throws InvalidRequestException if it is invalid
   */
  public static void checkPosition(String name, @Nullable String position) {
    if (position == null) {
      return;
    }
    String what = "The position of continuous workflow '" + name + "'";
    storable(what, position);
    atMost(what, position, MAX_POSITION);
  }

  /**
   * Rejects items of a memory that no store can keep.
   *
   * @throws InvalidRequestException if there are any
   */
  public static void checkMemory(String name, ContinuousStore.MemoryChange memory) {
    for (String item : memory.added()) {
      within("An item that the trigger of '" + name + "' remembers", item, MAX_ITEM);
    }
  }

  /**
   * Rejects an offered event that no store can keep.
   *
   * @throws InvalidRequestException if it is invalid
   */
  public static void checkOffer(String name, String key, String payload) {
    String whose = " of an event offered to continuous workflow '" + name + "'";
    within("The key" + whose, key, MAX_NAME);
    storable("The payload" + whose, payload);
    atMost("The payload" + whose, payload, MAX_PAYLOAD);
  }

  /** Returns false if no workflow can have the name, so that a store need not be read. */
  public static boolean isName(String name) {
    return !name.isEmpty() && name.length() <= MAX_NAME && StorableText.isStorable(name);
  }

  private static void within(String what, String text, int most) {
    if (text.isBlank()) {
      throw new InvalidRequestException(
          what
              + " is blank; expected 1 to "
              + most
              + " characters, "
              + StorableText.EXPECTED
              + ".");
    }
    storable(what, text);
    atMost(what, text, most);
  }

  private static void atMost(String what, String text, int most) {
    if (text.length() > most) {
      throw new InvalidRequestException(
          what + " has " + text.length() + " characters; expected at most " + most + ".");
    }
  }

  private static void storable(String what, String text) {
    int nul = text.indexOf('\0');
    int half = StorableText.indexOfHalf(text);
    if (nul >= 0 || half >= 0) {
      throw new InvalidRequestException(
          what
              + (nul >= 0
                  ? " has a NUL at character " + nul
                  : " has half of a surrogate pair at character " + half)
              + "; expected text "
              + StorableText.EXPECTED
              + ".");
    }
  }
}
