/** The engine processes of a chaos run, and their workflows. */
package io.millrace.verification.chaos.node;
