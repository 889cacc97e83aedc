/**
 * What every store must do, held against each of them, and what databases do when they fail or are
 * crowded.
 */
package io.millrace.verification.store;
