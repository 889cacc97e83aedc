/** Planted violations, never used: each breaks one architecture rule. */
package io.millrace.verification.architecture.planted;
