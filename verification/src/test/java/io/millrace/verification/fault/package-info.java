/** What surrounds the engine goes wrong: connections, pools, networks, and rows. */
package io.millrace.verification.fault;
