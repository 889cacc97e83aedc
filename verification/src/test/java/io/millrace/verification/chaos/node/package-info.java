/** The engine's processes of a chaos run, and the workflows they run. */
package io.millrace.verification.chaos.node;
