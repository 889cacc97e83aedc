/** The processes of a chaos run. */
package io.millrace.verification.chaos.cluster;
