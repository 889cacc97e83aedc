package io.millrace.data;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/** A writer of XML as text. It writes an empty element as a start tag and an end tag. */
final class XmlWriter {

  private static final String DECLARATIONS = "http://www.w3.org/2000/xmlns/";

  private XmlWriter() {}

  /**
   * Returns a node as text.
   *
   * @param canonical true for one form of all equivalent texts: names with their namespaces in
   *     place of prefixes, attributes sorted, without comments and white space between elements
   */
  static String write(Node node, boolean canonical) {
    StringBuilder out = new StringBuilder();
    write(node, canonical, out);
    return out.toString();
  }

  private static void write(Node node, boolean canonical, StringBuilder out) {
    switch (node.getNodeType()) {
      case Node.ELEMENT_NODE -> writeElement((Element) node, canonical, out);
      case Node.ATTRIBUTE_NODE -> escape(String.valueOf(node.getNodeValue()), true, out);
      case Node.TEXT_NODE, Node.CDATA_SECTION_NODE -> {
        if (!canonical || !isBlank(node) || !hasElements(node.getParentNode())) {
          escape(String.valueOf(node.getNodeValue()), false, out);
        }
      }
      case Node.COMMENT_NODE -> {
        if (!canonical) {
          out.append("<!--").append(node.getNodeValue()).append("-->");
        }
      }
      default -> {}
    }
  }

  private static void writeElement(Element element, boolean canonical, StringBuilder out) {
    String name = canonical ? expanded(element) : element.getNodeName();
    out.append('<').append(name);
    attributes(element, canonical)
        .forEach((attribute, value) -> {
          out.append(' ').append(attribute).append("=\"");
          escape(value, true, out);
          out.append('"');
        });
    out.append('>');
    for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
      write(child, canonical, out);
    }
    out.append("</").append(name).append('>');
  }

  private static Map<String, String> attributes(Element element, boolean canonical) {
    Map<String, String> sorted = new TreeMap<>();
    NamedNodeMap attributes = element.getAttributes();
    for (int i = 0; i < attributes.getLength(); i++) {
      Node attribute = attributes.item(i);
      if (!canonical) {
        sorted.put(attribute.getNodeName(), attribute.getNodeValue());
      } else if (!DECLARATIONS.equals(attribute.getNamespaceURI())) {
        sorted.put(expanded(attribute), attribute.getNodeValue());
      }
    }
    return sorted;
  }

  private static String expanded(Node node) {
    String uri = node.getNamespaceURI();
    String local = node.getLocalName() == null ? node.getNodeName() : node.getLocalName();
    return uri == null ? local : "{" + uri + "}" + local;
  }

  static boolean isBlank(@Nullable Node node) {
    return node != null && node.getNodeType() == Node.TEXT_NODE && node.getNodeValue().isBlank();
  }

  private static boolean hasElements(@Nullable Node parent) {
    if (parent == null) {
      return false;
    }
    for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child.getNodeType() == Node.ELEMENT_NODE) {
        return true;
      }
    }
    return false;
  }

  private static void escape(String text, boolean attribute, StringBuilder out) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append(attribute ? "&quot;" : "\"");
        case '\r' -> out.append("&#xD;");
        case '\n' -> out.append(attribute ? "&#xA;" : "\n");
        case '\t' -> out.append(attribute ? "&#x9;" : "\t");
        default -> out.append(c);
      }
    }
  }
}
