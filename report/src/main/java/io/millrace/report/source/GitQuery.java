package io.millrace.report.source;

import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A parsed query of a git repository.
 *
 * @param top the largest number of rows
 * @param repository empty for the first
 */
record GitQuery(GitMeasure measure, int top, String repository) {

  private static final Pattern FORM =
      Pattern.compile(
          "(?<measure>[a-z ]+?)(?:\\s+top\\s+(?<top>\\d{1,4}))?(?:\\s+in\\s+(?<in>\\S+))?");

  static GitQuery parse(String text) {
    String line = text.strip().replaceAll("\\s+", " ");
    Matcher form = FORM.matcher(line);
    if (form.matches()) {
      String wanted = form.group("measure").toUpperCase(Locale.ROOT).replace(' ', '_');
      for (GitMeasure measure : GitMeasure.values()) {
        if (measure.name().equals(wanted)) {
          String top = form.group("top");
          String in = form.group("in");
          return new GitQuery(
              measure,
              top == null ? Integer.MAX_VALUE : Integer.parseInt(top),
              in == null ? "" : in);
        }
      }
    }
    throw new SourceException(
        "'"
            + Placeholders.shorten(text)
            + "' is no query of a git repository; expected 'MEASURE [top N] [in REPOSITORY]' with one"
            + " of these measures: "
            + Arrays.stream(GitMeasure.values())
                .map(m -> m.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .collect(Collectors.joining(", ")));
  }
}
