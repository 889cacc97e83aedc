package io.millrace.server.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The schema InstanceDetail.
 *
 * @param input JSON text; null if there is none or it is secret
 * @param allowed the actions that the caller may do now
 */
record InstanceDetailView(
    @JsonUnwrapped InstanceView instance,
    @Nullable String input,
    boolean inputSecret,
    StatusReasonView why,
    List<String> allowed,
    @Nullable StuckView stuck) {

  /** Schema Stuck. */
  record StuckView(double runningSeconds, String state, List<String> stackTrace) {}
}
