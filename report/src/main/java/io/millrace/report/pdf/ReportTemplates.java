package io.millrace.report.pdf;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Finds templates, which are folders with {@code report.html} below one folder. Their files are
 * read again for each report. The template {@code default} comes with the program, and a folder of
 * that name replaces it.
 */
public final class ReportTemplates {

  /** Name of the template that comes with the program. */
  public static final String DEFAULT = "default";

  /** Name of the folder of templates, below the program's home. */
  public static final String FOLDER = "assessmentReportPdfTemplate";

  private final @Nullable Path folder;

  private ReportTemplates(@Nullable Path folder) {
    this.folder = folder;
  }

  /** Returns only the template that comes with the program. */
  public static ReportTemplates shipped() {
    return new ReportTemplates(null);
  }

  /** Returns the templates in {@code folder}, which need not exist. */
  public static ReportTemplates in(Path folder) {
    return new ReportTemplates(folder);
  }

  /** Rejects an invalid name of a template. */
  public static String check(String name) {
    if (!name.matches("[A-Za-z0-9_-]{1,64}")) {
      throw new TemplateException(
          "'" + name + "' is no name of a template; expected letters, digits, '_' and '-'");
    }
    return name;
  }

  TemplateFolder find(String name) {
    check(name);
    if (folder != null && Files.isDirectory(folder.resolve(name))) {
      return TemplateFolder.of(folder.resolve(name));
    }
    if (name.equals(DEFAULT)) {
      return TemplateFolder.shipped();
    }
    throw new TemplateException(
        "There is no template '"
            + name
            + "'; expected the folder "
            + (folder == null ? FOLDER + "/" + name : folder.resolve(name).toString())
            + " with report.html, or the name 'default'");
  }
}
