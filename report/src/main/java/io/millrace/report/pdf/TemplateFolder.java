package io.millrace.report.pdf;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files of one template. */
interface TemplateFolder {

  /** Upper limit of the size of a template's file; images are meant to be small. */
  int LARGEST = 10 * 1024 * 1024;

  /**
   * Returns a file's content.
   *
   * @param path relative, checked by {@link #check}
   * @throws TemplateException when there is no such file, or it lies elsewhere
   */
  byte[] read(String path);

  /** Rejects a path that may lead out of a folder. */
  static String check(String path) {
    if (!path.matches("[A-Za-z0-9_][A-Za-z0-9_. -]*(/[A-Za-z0-9_][A-Za-z0-9_. -]*)*")) {
      throw new TemplateException(
          "A template names the file '"
              + path
              + "', expected one in its own folder, with a plain name; nothing else is read.");
    }
    return path;
  }

  /** Returns the template that comes with the program. */
  static TemplateFolder shipped() {
    return path -> {
      try (InputStream file = TemplateFolder.class.getResourceAsStream("template/" + check(path))) {
        if (file == null) {
          throw new TemplateException("The default template has no file '" + path + "'");
        }
        return file.readAllBytes();
      } catch (IOException e) {
        throw new TemplateException("The default template's file '" + path + "' cannot be read", e);
      }
    };
  }

  /** Returns a folder on disk. Links that lead out of it are not followed. */
  static TemplateFolder of(Path folder) {
    return path -> {
      try {
        Path top = folder.toRealPath();
        Path file = top.resolve(check(path));
        if (!Files.isRegularFile(file)) {
          throw new TemplateException("The template " + folder + " has no file '" + path + "'");
        }
        if (!file.toRealPath().startsWith(top)) {
          throw new TemplateException(
              "The file '" + path + "' of the template " + folder + " is a link to elsewhere");
        }
        if (Files.size(file) > LARGEST) {
          throw new TemplateException(
              "The file '" + path + "' of the template " + folder + " is over 10 MiB");
        }
        return Files.readAllBytes(file);
      } catch (IOException e) {
        throw new TemplateException(
            "The file '" + path + "' of the template " + folder + " cannot be read: " + e, e);
      }
    };
  }
}
