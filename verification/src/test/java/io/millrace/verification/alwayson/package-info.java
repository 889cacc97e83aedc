/** Continuous workflows, seen through the engine's public face. */
package io.millrace.verification.alwayson;
