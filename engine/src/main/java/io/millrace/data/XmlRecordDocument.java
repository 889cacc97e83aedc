package io.millrace.data;

import io.millrace.instance.InvalidRequestException;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.namespace.NamespaceContext;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** The records of an XML document. Entities and document types are rejected. */
final class XmlRecordDocument implements RecordDocument {

  private final Document document;
  private final List<Element> elements;
  private final ReduceOptions options;
  private final XPath xpath;

  private XmlRecordDocument(
      Document document, List<Element> elements, ReduceOptions options, XPath xpath) {
    this.document = document;
    this.elements = elements;
    this.options = options;
    this.xpath = xpath;
  }

  static XmlRecordDocument parse(ReduceSource source, ReduceOptions options, String text) {
    Document document;
    try {
      document = builder().parse(new InputSource(new StringReader(text)));
    } catch (SAXException | IOException e) {
      throw new InvalidRequestException("The document is no XML that is read: " + e.getMessage());
    }
    XPath xpath = XPathFactory.newInstance().newXPath();
    xpath.setNamespaceContext(new Namespaces(source.namespaces()));
    List<Element> elements = new ArrayList<>();
    for (Node node : select(xpath, source.path(), document)) {
      if (node instanceof Element element) {
        elements.add(element);
      }
    }
    return new XmlRecordDocument(document, elements, options, xpath);
  }

  private static DocumentBuilder builder() {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setNamespaceAware(true);
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      factory.setExpandEntityReferences(false);
      DocumentBuilder builder = factory.newDocumentBuilder();
      builder.setErrorHandler(null);
      return builder;
    } catch (ParserConfigurationException e) {
      throw new AssertionError("every Java runtime reads XML safely", e);
    }
  }

  private static List<Node> select(XPath xpath, String path, Node from) {
    try {
      NodeList found = (NodeList) xpath.evaluate(path, from, XPathConstants.NODESET);
      List<Node> nodes = new ArrayList<>();
      for (int i = 0; i < found.getLength(); i++) {
        nodes.add(found.item(i));
      }
      return nodes;
    } catch (XPathExpressionException e) {
      throw new InvalidRequestException(
          "'" + path + "' is no XPath of elements or attributes: " + e.getMessage());
    }
  }

  @Override
  public List<ParsedRecord> all() {
    return elements.stream().map(this::record).toList();
  }

  private ParsedRecord record(Element element) {
    String keyToken = element.getAttribute(KEY_TOKEN);
    String valueToken = element.getAttribute(VALUE_TOKEN);
    ReduceToken token =
        keyToken.isEmpty() || valueToken.isEmpty() ? null : ReduceToken.parse(keyToken, valueToken);
    if (options.key() == null) {
      return new ParsedRecord(null, content(element), token, null);
    }
    List<Node> found = select(xpath, options.key(), element);
    return found.size() == 1
        ? ParsedRecord.keyed(found.getFirst().getTextContent().strip(), content(element), token)
        : new ParsedRecord(
            null,
            content(element),
            token,
            "has " + found.size() + " nodes as key at '" + options.key() + "'; expected one");
  }

  private String content(Element element) {
    if (!options.only().isEmpty()) {
      StringBuilder some = new StringBuilder();
      for (String path : options.only()) {
        some.append(path).append('\n');
        select(xpath, path, element)
            .forEach(node -> some.append(XmlWriter.write(node, options.canonical())).append('\n'));
      }
      return some.toString();
    }
    Element copy = (Element) element.cloneNode(true);
    copy.removeAttribute(KEY_TOKEN);
    copy.removeAttribute(VALUE_TOKEN);
    for (String path : options.ignored()) {
      for (Node node : select(xpath, path, copy)) {
        if (node instanceof org.w3c.dom.Attr attribute) {
          attribute.getOwnerElement().removeAttributeNode(attribute);
        } else if (node.getParentNode() != null) {
          node.getParentNode().removeChild(node);
        }
      }
    }
    return XmlWriter.write(copy, options.canonical());
  }

  @Override
  public String without(List<Integer> passedOver, List<ReduceToken> tokens) {
    Set<Integer> gone = new HashSet<>(passedOver);
    int kept = 0;
    for (int i = 0; i < elements.size(); i++) {
      Element element = elements.get(i);
      if (gone.contains(i)) {
        remove(element);
      } else if (!tokens.isEmpty()) {
        ReduceToken token = tokens.get(kept++);
        element.setAttribute(KEY_TOKEN, token.keyHash());
        element.setAttribute(VALUE_TOKEN, token.valueText());
      }
    }
    return XmlWriter.write(document.getDocumentElement(), false);
  }

  /** Removes an element with the preceding white space, so that no blank line remains. */
  private static void remove(Element element) {
    Node parent = element.getParentNode();
    Node before = element.getPreviousSibling();
    if (XmlWriter.isBlank(before)) {
      parent.removeChild(before);
    }
    parent.removeChild(element);
    if (parent.getChildNodes().getLength() == 1 && XmlWriter.isBlank(parent.getFirstChild())) {
      parent.removeChild(parent.getFirstChild());
    }
  }

  private record Namespaces(Map<String, String> uris) implements NamespaceContext {
    @Override
    public String getNamespaceURI(String prefix) {
      return new HashMap<>(uris).getOrDefault(prefix, XMLConstants.NULL_NS_URI);
    }

    @Override
    public @Nullable String getPrefix(String uri) {
      return null;
    }

    @Override
    public Iterator<String> getPrefixes(String uri) {
      return List.<String>of().iterator();
    }
  }
}
