package io.millrace.report.pdf;

import com.openhtmltopdf.extend.FSStream;
import com.openhtmltopdf.extend.FSUriResolver;
import com.openhtmltopdf.outputdevice.helper.ExternalResourceControlPriority;
import com.openhtmltopdf.pdfboxout.PdfRendererBuilder;
import com.openhtmltopdf.util.XRLog;
import io.millrace.report.font.FallbackFonts;
import io.millrace.report.font.FontCoverage;
import io.millrace.report.font.FontFolders;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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

/** Renderer of reports as PDF documents. Thread-safe. */
public final class PdfReportRenderer {

  private static final String PAGE = "report.html";

  /** URI scheme of a template's files; no other scheme is read. */
  private static final String SCHEME = "template:";

  private static final String DOCTYPE = "(?is)^\\s*<!DOCTYPE html>";

  static {
    XRLog.setLoggerImpl(new RendererLog());
  }

  private final ReportTemplates reportTemplates;
  private final FallbackFonts fallback;

  /** Creates a renderer with the font of reports only. */
  public PdfReportRenderer(ReportTemplates reportTemplates) {
    this(reportTemplates, new FontFolders(List.of()));
  }

  /**
   * Creates a renderer.
   *
   * @param fonts the folders searched for characters that the font of reports lacks
   */
  public PdfReportRenderer(ReportTemplates reportTemplates, FontFolders fonts) {
    this.reportTemplates = reportTemplates;
    this.fallback = new FallbackFonts(fonts);
  }

  /**
   * Renders a report as PDF, with all fonts embedded.
   *
   * @param template the name of a template
   * @throws TemplateException when the template cannot be used
   */
  public RenderedReport render(ReportContent content, String template) {
    TemplateFolder folder = reportTemplates.find(template);
    ReportTemplateModel view = new ReportTemplateModel(content);
    String source = new String(folder.read(PAGE), StandardCharsets.UTF_8);
    String html = Template.parse(source).fill(view.values());
    Document page = parse(html);
    PageFonts fonts = PageFonts.of(page, view.charts(), fallback);
    List<FontCoverage> own = new ArrayList<>();
    byte[] pdf = write(page, fonts, noting(folder, own), template);
    Set<Integer> missing = fonts.missing(own);
    if (!missing.isEmpty()) {
      page = parse(html);
      fonts = PageFonts.of(page, view.charts(), fallback);
      PageFonts.addNote(page, RenderedReport.note(missing));
      pdf = write(page, fonts, folder, template);
    }
    return new RenderedReport(pdf, missing);
  }

  /** Returns the folder, which also adds the coverage of each font file that is read to a list. */
  private static TemplateFolder noting(TemplateFolder folder, List<FontCoverage> own) {
    return path -> {
      byte[] bytes = folder.read(path);
      if (path.toLowerCase(Locale.ROOT).matches(".*[.](ttf|otf)")) {
        try {
          own.add(FontCoverage.of(bytes));
        } catch (IOException e) {
          throw new TemplateException("The template's font " + path + " cannot be used: " + e, e);
        }
      }
      return bytes;
    };
  }

  private static byte[] write(
      Document page, PageFonts fonts, TemplateFolder folder, String template) {
    ByteArrayOutputStream pdf = new ByteArrayOutputStream();
    try (PDDocument document = new PDDocument()) {
      PdfRendererBuilder builder = new PdfRendererBuilder();
      builder.useFastMode();
      builder.usePDDocument(document);
      // Tagged for screen readers. This also excludes fonts that are not embedded.
      builder.usePdfUaAccessibility(true);
      builder.withProducer("Millrace");
      builder.withW3cDocument(page, SCHEME + PAGE);
      builder.useReplacementText("?");
      builder.useUnicodeLineBreaker(new LineBreaker());
      builder.useUnicodeBidiSplitter(BidiRuns::new);
      builder.useUnicodeBidiReorderer(new VisualOrder());
      builder.useObjectDrawerFactory(new ChartDrawerFactory(fonts.charts(), fonts.painter()));
      PdfFonts.add(builder, document);
      fonts.addTo(builder);
      confine(builder, folder);
      builder.toStream(pdf);
      ReportFontMapper.during(builder::run);
    } catch (IOException e) {
      throw new TemplateException(
          "The template '" + template + "' cannot be made into a PDF: " + e, e);
    }
    return pdf.toByteArray();
  }

  /** Restricts the renderer to the files of the template's folder. */
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
          throw new TemplateException(
              "A template names '" + uri + "'; only its own files are read.");
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
      throw new TemplateException(
          PAGE
              + " is no well-formed XHTML, in line "
              + e.getLineNumber()
              + " after filling in: "
              + e.getMessage(),
          e);
    } catch (SAXException | IOException | ParserConfigurationException e) {
      throw new TemplateException(PAGE + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** A file's content, as the renderer reads it. */
  @SuppressWarnings("ArrayRecordComponent") // files are never compared
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
