package io.millrace.server.notice;

import java.io.StringWriter;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** The planned maintenance as an Atom feed (RFC 4287). */
final class AtomFeed {

  private final XMLStreamWriter xml;

  private AtomFeed(XMLStreamWriter xml) {
    this.xml = xml;
  }

  /**
   * Returns the feed of all maintenance.
   *
   * @param page address of the status page
   * @param id the identifier of the feed, and the prefix of the identifiers of its entries
   */
  static String of(List<Maintenance> all, String page, String id, Instant now) {
    StringWriter text = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
      new AtomFeed(xml).feed(all, page, id, now);
      xml.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("A text in memory cannot be written", e);
    }
    return text.toString();
  }

  private void feed(List<Maintenance> all, String page, String id, Instant now)
      throws XMLStreamException {
    xml.writeStartDocument("UTF-8", "1.0");
    xml.writeStartElement("feed");
    xml.writeDefaultNamespace("http://www.w3.org/2005/Atom");
    element("title", "Planned maintenance");
    element("id", id);
    link(page);
    Instant newest =
        all.stream().map(Maintenance::since).max(Comparator.naturalOrder()).orElse(now);
    element("updated", newest.toString());
    xml.writeStartElement("author");
    element("name", "Millrace");
    xml.writeEndElement();
    for (Maintenance one : all) {
      entry(one, page, id);
    }
    xml.writeEndElement();
    xml.writeEndDocument();
  }

  private void entry(Maintenance one, String page, String id) throws XMLStreamException {
    MaintenancePlan plan = one.plan();
    xml.writeStartElement("entry");
    element("title", one.stage().label() + ": " + plan.title());
    element("id", id + "#maintenance-" + one.id());
    link(page + "#maintenance-" + one.id());
    element("updated", one.since().toString());
    element(
        "summary",
        MailTemplates.time(plan.from())
            + " to "
            + MailTemplates.time(plan.until())
            + "\n"
            + plan.text());
    xml.writeEndElement();
  }

  private void link(String href) throws XMLStreamException {
    xml.writeEmptyElement("link");
    xml.writeAttribute("href", href);
  }

  private void element(String name, String text) throws XMLStreamException {
    xml.writeStartElement(name);
    xml.writeCharacters(text.replaceAll("[\\p{Cntrl}&&[^\n\t]]|[\\uFFFE\\uFFFF]", " "));
    xml.writeEndElement();
  }
}
