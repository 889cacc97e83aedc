/** Tests of meters and traces of whole engines, and of engines without the libraries for them. */
package io.millrace.tests.observe;
