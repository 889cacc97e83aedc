/**
 * Tests of task sequences over a real broker and a real database, which kill a node, the broker or
 * the database at every point of a step. {@link io.millrace.verification.kill.SequenceChecks}
 * contains the conditions that must hold afterwards.
 */
package io.millrace.verification.kill;
