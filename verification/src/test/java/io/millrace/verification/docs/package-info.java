/**
 * The programs of the documentation, compiled and run, and the checks that what is printed there is
 * what is run here. Text between {@code // docs:name} and {@code // docs:end} appears in a page
 * under that name.
 */
package io.millrace.verification.docs;
