/**
 * Task sequences over a real broker and a real database, of which a node, the broker or the
 * database is killed at every point of a step. {@link io.millrace.verification.kill.SequenceChecks}
 * says what must hold afterwards.
 */
package io.millrace.verification.kill;
