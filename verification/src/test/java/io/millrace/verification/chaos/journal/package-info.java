/**
 * The journal: a process outside the engine that keeps what clients and handlers saw, so that their
 * account survives the death of those who gave it.
 */
package io.millrace.verification.chaos.journal;
