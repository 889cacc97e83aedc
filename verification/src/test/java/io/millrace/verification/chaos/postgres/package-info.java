/** A PostgreSQL server of a chaos run's own, to be stopped, killed and starved. */
package io.millrace.verification.chaos.postgres;
