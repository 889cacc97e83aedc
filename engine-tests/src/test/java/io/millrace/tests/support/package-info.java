/** Faults of the database and the captured log, for the tests of several packages. */
package io.millrace.tests.support;
