package io.millrace.store;

import io.millrace.instance.Origin;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rule for children whose external id exists already: the same payload starts nothing and is
 * noted in the history, another payload refuses the transition.
 */
public final class ExistingChildRules {

  private static final int MAX_NAMED = 3;

  private ExistingChildRules() {}

  /**
   * An instance that exists with the external id of a child.
   *
   * @param parentId its parent; null for none
   */
  public record ExistingChild(@Nullable String externalId, long id, @Nullable Long parentId) {
    private String text() {
      String parent = parentId == null ? "no parent" : "parent " + parentId;
      return "child '" + externalId + "', which exists as instance " + id + " of " + parent;
    }
  }

  /** Returns the refusal of a transition whose child exists with another payload. */
  public static StoreException conflict(NewInstance child, long existingId) {
    Origin origin = child.origin();
    return StoreException.permanent(
        "The child with the external id '"
            + origin.externalId()
            + "' of workflow '"
            + origin.type()
            + "' exists as instance "
            + existingId
            + " with another payload. Start it with the same payload, or under another external id.");
  }

  /** Returns the transition with the children that it did not start as part of its reason. */
  public static SaveRequest noted(SaveRequest save, List<ExistingChild> known) {
    List<ExistingChild> foreign =
        known.stream()
            .filter(one -> !Long.valueOf(save.fence().instanceId()).equals(one.parentId()))
            .toList();
    if (foreign.isEmpty()) {
      return save;
    }
    String names =
        foreign.stream()
            .limit(MAX_NAMED)
            .map(ExistingChild::text)
            .collect(Collectors.joining("; "));
    int more = foreign.size() - MAX_NAMED;
    String note = " (not started: " + names + (more > 0 ? "; and " + more + " more)" : ")");
    SaveRequest.Entry entry = save.entry();
    SaveRequest.Entry noted =
        new SaveRequest.Entry(
            entry.type(),
            entry.from(),
            (entry.reason() == null ? "" : entry.reason()) + note,
            entry.error(),
            entry.attempt(),
            entry.took(),
            entry.actor());
    return new SaveRequest(save.fence(), noted, save.target(), save.changes(), save.attached());
  }
}
