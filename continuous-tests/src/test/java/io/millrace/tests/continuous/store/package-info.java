/**
 * Contract tests of what every store does for continuous workflows, and the plans of its queries.
 */
package io.millrace.tests.continuous.store;
