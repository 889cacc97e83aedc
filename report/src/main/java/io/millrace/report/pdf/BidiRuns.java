package io.millrace.report.pdf;

import com.openhtmltopdf.bidi.BidiSplitter;
import com.openhtmltopdf.bidi.BidiTextRun;
import java.text.Bidi;
import java.util.ArrayList;
import java.util.List;

/**
 * The runs of a paragraph by direction. A number or a left-to-right word within a right-to-left
 * text belongs to the run around it, which {@link VisualOrder} arranges. Not thread-safe.
 */
final class BidiRuns implements BidiSplitter {

  private final List<BidiTextRun> runs = new ArrayList<>();

  @Override
  public void setParagraph(String paragraph, byte direction) {
    runs.clear();
    boolean rightToLeft = direction == BidiSplitter.RTL;
    Bidi bidi =
        new Bidi(
            paragraph, rightToLeft ? Bidi.DIRECTION_RIGHT_TO_LEFT : Bidi.DIRECTION_LEFT_TO_RIGHT);
    int start = 0;
    for (int i = 0; i < bidi.getRunCount(); i++) {
      boolean reversed = bidi.getRunLevel(i) > 0;
      boolean last = i + 1 == bidi.getRunCount();
      if (last || (bidi.getRunLevel(i + 1) > 0) != reversed) {
        int end = bidi.getRunLimit(i);
        runs.add(
            new BidiTextRun(start, end - start, reversed ? BidiSplitter.RTL : BidiSplitter.LTR));
        start = end;
      }
    }
  }

  @Override
  public int countTextRuns() {
    return runs.size();
  }

  @Override
  public BidiTextRun getVisualRun(int index) {
    return runs.get(index);
  }

  /**
   * Returns the direction of a paragraph, which is that of the document, whatever its first letter
   * is.
   */
  @Override
  public byte getBaseDirection(String paragraph) {
    return BidiSplitter.NEUTRAL;
  }
}
