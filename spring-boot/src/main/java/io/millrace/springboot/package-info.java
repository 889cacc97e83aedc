/**
 * The starter for Spring Boot 3.5 and 4: makes an engine of the beans of an application, starts it
 * last and stops it first, and lets its client join the transactions of the application.
 */
@NullMarked
package io.millrace.springboot;

import org.jspecify.annotations.NullMarked;
