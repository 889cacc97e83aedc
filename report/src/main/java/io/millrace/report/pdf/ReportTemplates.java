package io.millrace.report.pdf;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Finds templates: folders with {@code report.html} below one folder, in which the files are read
 * anew for each report. The template {@code default} comes with the program, and a folder of that
 * name replaces it.
 */
public final class ReportTemplates {

  /** The name of the template that comes with the program. */
  public static final String DEFAULT = "default";

  /** The name of the folder of templates, below the program's home. */
  public static final String FOLDER = "assessmentReportPdfTemplate";

  private final @Nullable Path folder;

  private ReportTemplates(@Nullable Path folder) {
    this.folder = folder;
  }

  /** Only the template that comes with the program. */
  public static ReportTemplates shipped() {
    return new ReportTemplates(null);
  }

  /** The folders in {@code folder}, which need not exist. */
  public static ReportTemplates in(Path folder) {
    return new ReportTemplates(folder);
  }

  /** Refuses what is no name of a template. */
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
