/**
 * The seeded simulator: several engines, their real code, on one thread at a time, a simulated
 * clock and a store whose requests and replies get lost. {@link
 * io.millrace.verification.simulation.SimulationMain} is the entry point; {@code script/simulate}
 * runs it. One seed is one schedule, always the same one.
 */
package io.millrace.verification.simulation;
