/**
 * The journal: a process outside the engine that records the observations of clients and handlers,
 * so that their records survive their death.
 */
package io.millrace.verification.chaos.journal;
