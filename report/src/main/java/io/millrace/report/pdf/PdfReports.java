package io.millrace.report.pdf;

import com.openhtmltopdf.extend.FSStream;
import com.openhtmltopdf.extend.FSUriResolver;
import com.openhtmltopdf.outputdevice.helper.ExternalResourceControlPriority;
import com.openhtmltopdf.pdfboxout.PdfRendererBuilder;
import com.openhtmltopdf.util.XRLog;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/** Makes reports into PDF documents. Thread-safe. */
public final class PdfReports {

  private static final String PAGE = "report.html";

  /** The only scheme that a template's files have. */
  private static final String SCHEME = "template:";

  private static final String DOCTYPE = "(?is)^\\s*<!DOCTYPE html>";

  static {
    XRLog.setLoggerImpl(new QuietLog());
  }

  private final Templates templates;

  public PdfReports(Templates templates) {
    this.templates = templates;
  }

  /**
   * A report as PDF, with all fonts in it.
   *
   * @param template the name of a template
   * @throws TemplateFault when the template cannot be used
   */
  public byte[] render(ReportContent content, String template) {
    TemplateFolder folder = templates.find(template);
    ReportView view = new ReportView(content);
    String source = new String(folder.read(PAGE), StandardCharsets.UTF_8);
    Document page = parse(Template.parse(source).fill(view.values()));
    ByteArrayOutputStream pdf = new ByteArrayOutputStream();
    try (PDDocument document = new PDDocument()) {
      PdfRendererBuilder builder = new PdfRendererBuilder();
      builder.useFastMode();
      builder.usePDDocument(document);
      // Tagged for screen readers; and it keeps fonts out that are not embedded.
      builder.usePdfUaAccessibility(true);
      builder.withProducer("Millrace");
      builder.withW3cDocument(page, SCHEME + PAGE);
      builder.useReplacementText("?");
      builder.useUnicodeLineBreaker(new LineBreaker());
      builder.useObjectDrawerFactory(new ChartDrawers(view.charts()));
      PdfFonts.add(builder, document);
      confine(builder, folder);
      builder.toStream(pdf);
      OwnFonts.during(builder::run);
    } catch (IOException e) {
      throw new TemplateFault("The template '" + template + "' cannot be made into a PDF: " + e, e);
    }
    return pdf.toByteArray();
  }

  /** Whatever the template names is a file of its folder, or is not read. */
  private static void confine(PdfRendererBuilder builder, TemplateFolder folder) {
    FSUriResolver resolver = (base, uri) -> resolve(uri);
    builder.useUriResolver(resolver);
    builder.useExternalResourceAccessControl(
        (uri, type) -> uri != null && uri.startsWith(SCHEME),
        ExternalResourceControlPriority.RUN_AFTER_RESOLVING_URI);
    builder.useProtocolsStreamImplementation(
        uri -> new Content(folder.read(uri.substring(SCHEME.length()))), "template");
    builder.useProtocolsStreamImplementation(
        uri -> {
          throw new TemplateFault("A template names '" + uri + "'; only its own files are read.");
        },
        "http",
        "https",
        "file",
        "jar",
        "ftp",
        "data");
  }

  static @Nullable String resolve(@Nullable String uri) {
    if (uri == null || uri.isBlank() || uri.startsWith("#")) {
      return uri;
    }
    String path = uri.startsWith(SCHEME) ? uri.substring(SCHEME.length()) : uri;
    return SCHEME + TemplateFolder.check(URLDecoder.decode(path, StandardCharsets.UTF_8));
  }

  private static Document parse(String html) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
      factory.setNamespaceAware(true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setExpandEntityReferences(false);
      DocumentBuilder builder = factory.newDocumentBuilder();
      builder.setErrorHandler(new DefaultHandler());
      return builder.parse(new InputSource(new StringReader(html.replaceFirst(DOCTYPE, ""))));
    } catch (SAXParseException e) {
      throw new TemplateFault(
          PAGE
              + " is no well-formed XHTML, in line "
              + e.getLineNumber()
              + " after filling in: "
              + e.getMessage(),
          e);
    } catch (SAXException | IOException | ParserConfigurationException e) {
      throw new TemplateFault(PAGE + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** A file's content, as the renderer reads it. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares files
  private record Content(byte[] bytes) implements FSStream {

    @Override
    public InputStream getStream() {
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public Reader getReader() {
      return new InputStreamReader(getStream(), StandardCharsets.UTF_8);
    }
  }
}
