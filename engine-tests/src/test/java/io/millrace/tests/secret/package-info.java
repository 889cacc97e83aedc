/**
 * Tests of secrets: nothing that leaves the engine shows them, and only the right key decrypts
 * them.
 */
package io.millrace.tests.secret;
