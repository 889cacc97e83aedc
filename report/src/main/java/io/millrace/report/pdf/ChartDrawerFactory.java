package io.millrace.report.pdf;

import com.openhtmltopdf.extend.FSObjectDrawer;
import com.openhtmltopdf.extend.FSObjectDrawerFactory;
import io.millrace.report.chart.ChartData;
import io.millrace.report.chart.ChartPainter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * Factory of drawers for {@code <object type="millrace/chart" data="NAME"/>}; other objects are
 * skipped.
 */
final class ChartDrawerFactory implements FSObjectDrawerFactory {

  static final String TYPE = "millrace/chart";

  private final Map<String, ChartData> charts;
  private final ChartPainter painter;

  ChartDrawerFactory(Map<String, ChartData> charts, ChartPainter painter) {
    this.charts = charts;
    this.painter = painter;
  }

  @Override
  public boolean isReplacedObject(Element element) {
    return element.getAttribute("type").equals(TYPE);
  }

  @Override
  public @Nullable FSObjectDrawer createDrawer(Element element) {
    ChartData chart = charts.get(element.getAttribute("data"));
    if (chart == null) {
      return null;
    }
    return (object, x, y, width, height, device, context, dotsPerPixel) -> {
      float pixelsWide = (float) width / dotsPerPixel;
      float pixelsHigh = (float) height / dotsPerPixel;
      device.drawWithGraphics(
          (float) x,
          (float) y,
          pixelsWide,
          pixelsHigh,
          graphics -> painter.paint(chart, graphics, (int) pixelsWide, (int) pixelsHigh));
      return Map.of();
    };
  }
}
