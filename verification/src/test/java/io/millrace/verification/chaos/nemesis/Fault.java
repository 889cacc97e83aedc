package io.millrace.verification.chaos.nemesis;

import java.time.Duration;

/**
 * A fault to be injected.
 *
 * @param node the number of the node it hits; 0 when it hits no certain one
 * @param length how long it lasts
 * @param size how strong it is: milliseconds of a delay, minutes of a jump; 0 where that means
 *     nothing
 */
public record Fault(FaultKind kind, int node, Duration length, long size) {}
