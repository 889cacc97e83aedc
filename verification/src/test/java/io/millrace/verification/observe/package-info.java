/** Meters and traces of whole engines, and engines without the libraries for them. */
package io.millrace.verification.observe;
