package io.millrace.server.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.millrace.data.ChangeType;
import io.millrace.data.RecordDocument;
import io.millrace.data.ReduceGroup;
import io.millrace.data.ReduceOptions;
import io.millrace.data.ReduceSource;
import io.millrace.data.Reduction;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.ProblemException;
import io.millrace.server.http.StrictJson;
import io.millrace.server.security.SecretNames;
import io.millrace.store.ReduceStore;
import io.millrace.store.ReduceStore.Comparison;
import io.millrace.store.ReduceStore.FollowUp;
import io.millrace.store.ReduceStore.HashedRecord;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A dry run of reduction: shows which of the sent records would be passed on by the sent rules. It
 * writes nothing.
 *
 * @param records the JSON array of records
 */
record ReduceDryRun(String group, ReduceOptions options, JsonNode records) {

  static final Set<String> MEMBERS = Set.of("group", "key", "ignore", "only", "document");

  private static final int FIRST = 10;
  private static final int PATHS = 100;

  static ReduceDryRun of(JsonFields body) {
    String name = body.text("group", 1, ReduceGroup.MAX_NAME);
    String key = body.optionalText("key", ReduceOptions.MAX_KEY);
    ReduceOptions options =
        ReduceOptions.DEFAULT
            .ignored(body.texts("ignore", PATHS, ReduceOptions.MAX_KEY))
            .only(body.texts("only", PATHS, ReduceOptions.MAX_KEY));
    JsonNode document = body.json("document");
    if (document == null || !document.isArray()) {
      throw ProblemException.invalid("document", "must be a JSON array of records.");
    }
    return new ReduceDryRun(name, key == null ? options : options.key(key), document);
  }

  /** Rejects records with values that are not shown, since the result would confirm a guess. */
  void refuseSecrets(SecretNames secretNames) {
    String key = options.key();
    if (key != null) {
      refuseSecretPath("key", key, secretNames);
    }
    options.only().forEach(path -> refuseSecretPath("only", path, secretNames));
    if (secretNames.holdsSecret(records)) {
      throw ProblemException.invalid(
          "document",
          "holds a secret, by the name of a member or as '$secret', so that its records cannot be"
              + " compared. Leave that member out.");
    }
  }

  private static void refuseSecretPath(String field, String path, SecretNames secretNames) {
    if (secretNames.isSecret(path)) {
      throw ProblemException.invalid(
          field,
          "names '"
              + path
              + "', which is secret by its name, so that records cannot be compared by it. Name"
              + " another member.");
    }
  }

  /** Schema ReduceDryRun. */
  record View(
      int records,
      @JsonProperty("new") KindView fresh,
      KindView changed,
      KindView unchanged,
      KindView reserved,
      int faulty,
      List<Reduction.Fault> faults) {}

  /** Schema ReduceKind. */
  record KindView(int count, List<JsonNode> first) {}

  /** Compares the records; the second of two identical ones counts as unchanged. */
  View compare(ReduceStore store) {
    List<HashedRecord> items = new ArrayList<>();
    List<JsonNode> compared = new ArrayList<>();
    List<Reduction.Fault> faults = new ArrayList<>();
    List<RecordDocument.ParsedRecord> read =
        RecordDocument.of(ReduceSource.json(""), options, StrictJson.write(records)).all();
    for (int i = 0; i < read.size(); i++) {
      String fault = read.get(i).fault();
      if (fault == null) {
        items.add(HashedRecord.of(read.get(i), options));
        compared.add(records.get(i));
      } else {
        faults.add(new Reduction.Fault(i, "Record " + i + " " + fault + "."));
      }
    }
    List<ChangeType> changes =
        store
            .compare(new Comparison(group, items, new FollowUp.DryRun(), false), null)
            .orElseThrow()
            .changes();
    Map<ChangeType, List<JsonNode>> kinds = new EnumMap<>(ChangeType.class);
    Set<HashedRecord> seen = new HashSet<>();
    for (int i = 0; i < items.size(); i++) {
      ChangeType kind = seen.add(items.get(i)) ? changes.get(i) : ChangeType.UNCHANGED;
      kinds.computeIfAbsent(kind, k -> new ArrayList<>()).add(compared.get(i));
    }
    return new View(
        read.size(),
        kind(kinds, ChangeType.NEW),
        kind(kinds, ChangeType.CHANGED),
        kind(kinds, ChangeType.UNCHANGED),
        kind(kinds, ChangeType.RESERVED),
        faults.size(),
        faults.stream().limit(FIRST).toList());
  }

  private static KindView kind(Map<ChangeType, List<JsonNode>> kinds, ChangeType kind) {
    List<JsonNode> all = kinds.getOrDefault(kind, List.of());
    return new KindView(all.size(), all.stream().limit(FIRST).toList());
  }
}
