/** Tests of the starter. They name no class that only one version of Spring Boot has. */
package io.millrace.springboot;
