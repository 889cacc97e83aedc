package io.millrace.data;

import java.util.Map;

/**
 * The location of records in a document.
 *
 * @param path of one record: for JSON the path of their array, such as {@code $.customers} or
 *     {@code /customers}, or blank for an array at the root; for XML an XPath such as {@code
 *     /Customers/Customer}
 * @param namespaces of XPaths: URIs by prefix
 */
public record ReduceSource(Format format, String path, Map<String, String> namespaces) {

  /** The format of a document. */
  public enum Format {
    JSON,
    XML
  }

  public ReduceSource {
    namespaces = Map.copyOf(namespaces);
  }

  /** Records in a JSON array. */
  public static ReduceSource json(String path) {
    return new ReduceSource(Format.JSON, path, Map.of());
  }

  /** Records in XML, without namespaces. */
  public static ReduceSource xml(String path) {
    return new ReduceSource(Format.XML, path, Map.of());
  }
}
