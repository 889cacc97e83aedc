package io.millrace.verification.chaos.nemesis;

import java.time.Duration;

/**
 * A fault to inject.
 *
 * @param node number of the affected node; 0 for a fault of no particular node
 * @param length duration of the fault
 * @param size strength of the fault: milliseconds of a delay, minutes of a jump; 0 for other faults
 */
public record Fault(FaultKind kind, int node, Duration length, long size) {}
