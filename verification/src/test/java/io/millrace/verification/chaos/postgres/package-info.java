/** A private PostgreSQL server of a chaos run, to be stopped, killed and starved. */
package io.millrace.verification.chaos.postgres;
