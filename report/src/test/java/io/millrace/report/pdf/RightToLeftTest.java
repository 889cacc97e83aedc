package io.millrace.report.pdf;

import static org.assertj.core.api.Assertions.assertThat;

import com.openhtmltopdf.bidi.BidiSplitter;
import org.junit.jupiter.api.Test;

class RightToLeftTest {

  private static String runs(String paragraph, byte direction) {
    BidiRuns runs = new BidiRuns();
    runs.setParagraph(paragraph, direction);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < runs.countTextRuns(); i++) {
      var run = runs.getVisualRun(i);
      text.append(run.getDirection() == BidiSplitter.RTL ? '<' : '>')
          .append(paragraph, run.getStart(), run.getStart() + run.getLength());
    }
    return text.toString();
  }

  @Test
  void aNumberWithinATextFromRightToLeftBelongsToIt() {
    assertThat(runs("Report אב 25 גד end", BidiSplitter.LTR)).isEqualTo(">Report <אב 25 גד> end");
    assertThat(runs("plain", BidiSplitter.LTR)).isEqualTo(">plain");
    assertThat(runs("אב plain", BidiSplitter.RTL)).isEqualTo("<אב plain");
    assertThat(runs("", BidiSplitter.LTR)).isEmpty();
  }

  @Test
  void aRunIsPutIntoTheOrderInWhichItIsDrawn() {
    VisualOrder order = new VisualOrder();
    assertThat(order.reorderRTLTextToLTR("אבג")).isEqualTo("גבא");
    assertThat(order.reorderRTLTextToLTR("אב 25 גד")).isEqualTo("דג 25 בא");
    assertThat(order.reorderRTLTextToLTR("(אב)")).isEqualTo("(בא)");
    assertThat(order.reorderRTLTextToLTR("א word ב")).isEqualTo("ב word א");
    // A mark stays after its letter.
    assertThat(order.reorderRTLTextToLTR("א\u05B7ב")).isEqualTo("בא\u05B7");
    assertThat(order.reorderRTLTextToLTR("א😀ב")).isEqualTo("ב😀א");
    assertThat(order.reorderRTLTextToLTR("")).isEmpty();
  }

  @Test
  void scriptsWithoutSpacesAreBrokenBetweenWords() {
    LineBreaker breaker = new LineBreaker();
    breaker.setText("カタカナ");
    assertThat(breaker.next()).isBetween(1, 3);
    breaker.setText("12.5");
    assertThat(breaker.next()).isEqualTo(4);
  }
}
