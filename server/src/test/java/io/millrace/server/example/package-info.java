/** The example of a jar for the server, as the page about the server shows it. */
package io.millrace.server.example;
