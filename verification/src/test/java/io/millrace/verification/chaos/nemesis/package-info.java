/** The faults of a chaos run: their plan and their injection. */
package io.millrace.verification.chaos.nemesis;
