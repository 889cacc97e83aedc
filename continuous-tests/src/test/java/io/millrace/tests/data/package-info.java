/** Tests of key-values, reduce and the period ledger: their stores, and handlers that use them. */
package io.millrace.tests.data;
