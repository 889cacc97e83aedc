package io.millrace.store;

import io.millrace.instance.Due;
import io.millrace.instance.Origin;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An instance to be started.
 *
 * @param definitionId the stored definition
 * @param payload its input and variables
 * @param leasedBy an executor that holds it from the start, with lease version 1 and attempt 1;
 *     null for none
 * @param attached written with it, such as the message over the channel of its first state
 */
public record NewInstance(
    Origin origin,
    int definitionId,
    String startState,
    Payload payload,
    Due due,
    @Nullable Long leasedBy,
    List<AttachedWrite> attached) {

  public NewInstance {
    attached = List.copyOf(attached);
  }

  /**
   * The payload of a new instance.
   *
   * @param input JSON text; null for none
   * @param variables JSON texts by name
   * @param hashes any of them identifies a repeated start, the first is stored; empty to compute
   *     one from the texts
   */
  public record Payload(
      @Nullable String input, Map<String, String> variables, List<String> hashes) {
    public Payload {
      hashes = List.copyOf(hashes);
    }
  }

  /** Creates an instance whose payload is compared as text. */
  public NewInstance(
      Origin origin,
      int definitionId,
      String startState,
      @Nullable String input,
      Map<String, String> variables,
      Due due,
      @Nullable Long leasedBy) {
    this(
        origin,
        definitionId,
        startState,
        new Payload(input, variables, List.of()),
        due,
        leasedBy,
        List.of());
  }

  public @Nullable String input() {
    return payload.input;
  }

  public Map<String, String> variables() {
    return payload.variables;
  }

  /** Returns a copy that an executor leases from the start. */
  public NewInstance leasedBy(long executorId) {
    return new NewInstance(origin, definitionId, startState, payload, due, executorId, attached);
  }

  /** Returns a copy with another external id. */
  public NewInstance externalId(@Nullable String id) {
    Origin other =
        new Origin(
            origin.type(),
            origin.version(),
            origin.executorGroup(),
            origin.priority(),
            origin.businessKey(),
            id,
            origin.parentId());
    return new NewInstance(other, definitionId, startState, payload, due, leasedBy, attached);
  }

  /** Returns true if a start that stored this hash had the same payload. */
  public boolean samePayload(@Nullable String hash) {
    return payload.hashes.isEmpty()
        ? payloadHash().equals(hash)
        : payload.hashes.stream().anyMatch(mine -> mine.equals(hash));
  }

  /**
   * Returns a hash of input and variables, by which a repeated start is compared with the first.
   */
  public String payloadHash() {
    if (!payload.hashes.isEmpty()) {
      return payload.hashes.getFirst();
    }
    StringBuilder text = new StringBuilder().append(payload.input).append('\n');
    new TreeMap<>(payload.variables)
        .forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(text.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java runtime has SHA-256", e);
    }
  }
}
