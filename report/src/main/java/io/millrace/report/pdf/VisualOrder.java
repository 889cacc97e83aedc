package io.millrace.report.pdf;

import com.openhtmltopdf.bidi.BidiReorderer;
import java.text.Bidi;
import java.util.ArrayList;
import java.util.List;

/** Reorders a right-to-left text into the order in which it is drawn. Thread-safe. */
final class VisualOrder implements BidiReorderer {

  private static final String PAIRS = "()[]{}<>«»‹›";

  /** A character with the marks that are drawn onto it. */
  private record Cluster(String text, byte level) {

    String drawn() {
      int pair = level % 2 == 1 ? PAIRS.indexOf(text) : -1;
      return pair < 0 || text.length() != 1 ? text : PAIRS.substring(pair ^ 1, (pair ^ 1) + 1);
    }
  }

  @Override
  public String reorderRTLTextToLTR(String text) {
    if (text.isEmpty()) {
      return text;
    }
    Bidi bidi = new Bidi(text, Bidi.DIRECTION_RIGHT_TO_LEFT);
    List<Cluster> clusters = clusters(text, bidi);
    byte[] levels = new byte[clusters.size()];
    for (int i = 0; i < levels.length; i++) {
      levels[i] = clusters.get(i).level();
    }
    Cluster[] ordered = clusters.toArray(new Cluster[0]);
    Bidi.reorderVisually(levels, 0, ordered, 0, ordered.length);
    StringBuilder drawn = new StringBuilder(text.length());
    for (Cluster cluster : ordered) {
      drawn.append(cluster.drawn());
    }
    return drawn.toString();
  }

  private static List<Cluster> clusters(String text, Bidi bidi) {
    List<Cluster> clusters = new ArrayList<>();
    for (int start = 0; start < text.length(); ) {
      int end = text.offsetByCodePoints(start, 1);
      while (end < text.length()
          && Character.getType(text.codePointAt(end)) == Character.NON_SPACING_MARK) {
        end = text.offsetByCodePoints(end, 1);
      }
      clusters.add(new Cluster(text.substring(start, end), (byte) bidi.getLevelAt(start)));
      start = end;
    }
    return clusters;
  }

  @Override
  public String shapeText(String text) {
    return text;
  }

  @Override
  public String deshapeText(String text) {
    return text;
  }

  @Override
  public boolean isLiveImplementation() {
    return true;
  }
}
