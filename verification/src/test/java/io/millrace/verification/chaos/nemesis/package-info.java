/** The faults of a chaos run: which ones, when, and how they are done. */
package io.millrace.verification.chaos.nemesis;
