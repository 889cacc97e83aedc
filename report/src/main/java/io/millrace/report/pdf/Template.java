package io.millrace.report.pdf;

import io.millrace.report.font.ShapedText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text with placeholders: {@code {{name}}} is a value, always escaped; {@code
 * {{#name}}...{{/name}}} appears once for each entry of a list, or once when the value is true, a
 * map or not empty; {@code {{^name}}...{{/name}}} appears in all other cases. Names are looked up
 * in the innermost entry first. There are no expressions. Immutable.
 */
final class Template {

  private static final Pattern TAG =
      Pattern.compile("\\{\\{\\s*([#^/!]?)\\s*(.*?)\\s*}}", Pattern.DOTALL);

  private sealed interface Node {
    record Text(String text) implements Node {}

    record Value(String name, int line) implements Node {}

    record Section(String name, boolean inverted, int line, List<Node> inside) implements Node {}
  }

  private final List<Node> nodes;

  private Template(List<Node> nodes) {
    this.nodes = nodes;
  }

  /**
   * Reads a template.
   *
   * @throws TemplateException naming the line, when its sections do not match
   */
  static Template parse(String text) {
    Deque<Node.Section> open = new ArrayDeque<>();
    open.push(new Node.Section("", false, 1, new ArrayList<>()));
    Matcher tag = TAG.matcher(text);
    int end = 0;
    while (tag.find()) {
      open.element().inside().add(new Node.Text(text.substring(end, tag.start())));
      end = tag.end();
      int line = 1 + (int) text.substring(0, tag.start()).chars().filter(c -> c == '\n').count();
      String name = tag.group(2);
      switch (tag.group(1)) {
        case "!" -> {}
        case "#", "^" ->
            open.push(
                new Node.Section(
                    name(name, line), tag.group(1).equals("^"), line, new ArrayList<>()));
        case "/" -> close(open, name, line);
        default -> open.element().inside().add(new Node.Value(name(name, line), line));
      }
    }
    open.element().inside().add(new Node.Text(text.substring(end)));
    if (open.size() > 1) {
      throw new TemplateException(
          "The section {{#"
              + open.element().name()
              + "}} of line "
              + open.element().line()
              + " is not closed");
    }
    return new Template(open.element().inside());
  }

  private static void close(Deque<Node.Section> open, String name, int line) {
    if (open.size() == 1 || !open.element().name().equals(name)) {
      throw new TemplateException(
          "Line " + line + " closes {{/" + name + "}}, which is not open there");
    }
    Node.Section done = open.pop();
    open.element().inside().add(done);
  }

  private static String name(String text, int line) {
    if (!text.matches("[A-Za-z][A-Za-z0-9_]*")) {
      throw new TemplateException(
          "Line " + line + " has {{" + text + "}}, expected a name of letters and digits");
    }
    return text;
  }

  /**
   * Fills in the values.
   *
   * @param values texts, numbers, booleans, and lists and maps of them
   * @throws TemplateException naming the line, when a name is unknown
   */
  String fill(Map<String, ?> values) {
    StringBuilder out = new StringBuilder();
    Deque<Map<?, ?>> scopes = new ArrayDeque<>();
    scopes.push(values);
    write(nodes, scopes, out);
    return out.toString();
  }

  private static void write(List<Node> nodes, Deque<Map<?, ?>> scopes, StringBuilder out) {
    for (Node node : nodes) {
      switch (node) {
        case Node.Text text -> out.append(text.text());
        case Node.Value value -> out.append(escape(ShapedText.apart(text(value, scopes))));
        case Node.Section section -> write(section, scopes, out);
      }
    }
  }

  private static void write(Node.Section section, Deque<Map<?, ?>> scopes, StringBuilder out) {
    Object value = look(section.name(), section.line(), scopes);
    boolean there =
        !(Boolean.FALSE.equals(value)
            || value.equals("")
            || (value instanceof List<?> list && list.isEmpty()));
    if (section.inverted()) {
      if (!there) {
        write(section.inside(), scopes, out);
      }
      return;
    }
    if (!there) {
      return;
    }
    List<?> entries = value instanceof List<?> list ? list : List.of(value);
    for (Object entry : entries) {
      if (entry instanceof Map<?, ?> map) {
        scopes.push(map);
        write(section.inside(), scopes, out);
        scopes.pop();
      } else {
        scopes.push(Map.of("this", entry));
        write(section.inside(), scopes, out);
        scopes.pop();
      }
    }
  }

  private static String text(Node.Value node, Deque<Map<?, ?>> scopes) {
    Object value = look(node.name(), node.line(), scopes);
    if (value instanceof List<?> || value instanceof Map<?, ?>) {
      throw new TemplateException(
          "Line "
              + node.line()
              + ": '"
              + node.name()
              + "' is a list; use {{#"
              + node.name()
              + "}}");
    }
    return value.toString();
  }

  private static Object look(String name, int line, Deque<Map<?, ?>> scopes) {
    for (Map<?, ?> scope : scopes) {
      Object value = scope.get(name);
      if (value != null) {
        return value;
      }
    }
    TreeSet<String> known = new TreeSet<>();
    scopes.forEach(scope -> scope.keySet().forEach(key -> known.add(key.toString())));
    throw new TemplateException(
        "Line " + line + " has the unknown name '" + name + "', expected one of " + known);
  }

  /**
   * Escapes text and attribute values; a character that XML does not allow becomes a question mark.
   */
  static String escape(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(c -> {
          switch (c) {
            case '&' -> out.append("&amp;");
            case '<' -> out.append("&lt;");
            case '>' -> out.append("&gt;");
            case '"' -> out.append("&quot;");
            case '\'' -> out.append("&#39;");
            case '\t', '\n', '\r' -> out.appendCodePoint(c);
            default -> out.appendCodePoint(isXml(c) ? c : '?');
          }
        });
    return out.toString();
  }

  private static boolean isXml(int c) {
    return (c >= 0x20 && c <= 0xD7FF) || (c >= 0xE000 && c <= 0xFFFD) || c >= 0x10000;
  }
}
