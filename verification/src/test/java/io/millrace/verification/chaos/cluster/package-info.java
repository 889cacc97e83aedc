/** The processes of a chaos run and what is known of them. */
package io.millrace.verification.chaos.cluster;
