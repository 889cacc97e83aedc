/**
 * Sources of figures: databases over JDBC, git repositories, Neo4j and Elasticsearch over their
 * HTTP interfaces, and other implementations of {@link io.millrace.report.source.QuerySource}.
 */
@NullMarked
package io.millrace.report.source;

import org.jspecify.annotations.NullMarked;
