/** Secrets: nothing that leaves the engine shows them, and only the right key opens them. */
package io.millrace.verification.secret;
