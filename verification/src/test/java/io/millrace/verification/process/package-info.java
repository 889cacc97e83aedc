/** Tests of engines in processes of their own, which are killed, frozen or overloaded. */
package io.millrace.verification.process;
