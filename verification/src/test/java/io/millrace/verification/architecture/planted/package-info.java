/** Violations on purpose, never used: each breaks one rule of the architecture. */
package io.millrace.verification.architecture.planted;
