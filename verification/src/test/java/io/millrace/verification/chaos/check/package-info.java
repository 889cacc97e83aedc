/**
 * Decides from the database and the journal whether a run kept the promises. Each check is one
 * statement that finds violations, so that it can be tried on planted ones.
 */
package io.millrace.verification.chaos.check;
