/**
 * Checks the model of leases, fences, reconcile and recovery in the folder {@code model} of this
 * module, and that its actions are methods of the core.
 */
package io.millrace.verification.model;
