/** Tests of faults around the engine: connections, pools, networks, and rows. */
package io.millrace.verification.fault;
