/**
 * The checks that decide from the database and the journal whether a run kept the promises. Each
 * check is one statement that finds violations, so that it can be tested on planted ones.
 */
package io.millrace.verification.chaos.check;
