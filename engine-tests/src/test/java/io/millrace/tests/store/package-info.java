/**
 * Contract tests that every store must pass, and tests of databases that fail or are overloaded.
 */
package io.millrace.tests.store;
