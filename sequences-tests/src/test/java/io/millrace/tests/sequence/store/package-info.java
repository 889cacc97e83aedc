/** Contract tests of what every store does for task sequences, and the plans of its queries. */
package io.millrace.tests.sequence.store;
