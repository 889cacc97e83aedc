/** The example of a jar for the server, as in the documentation of the server. */
package io.millrace.server.example;
