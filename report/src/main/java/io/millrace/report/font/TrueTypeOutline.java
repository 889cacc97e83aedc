package io.millrace.report.font;

import java.awt.geom.PathIterator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * An outline in the TrueType format, which has only quadratic curves.
 *
 * @param bytes the glyph, empty when nothing is drawn
 * @param left the leftmost x
 */
@SuppressWarnings("ArrayRecordComponent") // outlines are not compared
record TrueTypeOutline(byte[] bytes, int left) {

  /** Number of quadratic curves that replace a cubic one. */
  private static final int PIECES = 4;

  private static final int MAX_POINTS = 30_000;

  private record Point(int x, int y, boolean onCurve) {}

  /** Collector of contours. */
  private static final class Contours {

    private final List<List<Point>> all = new ArrayList<>();
    private List<Point> open = new ArrayList<>();
    private double x;
    private double y;

    void move(double toX, double toY) {
      close();
      line(toX, toY);
    }

    void line(double toX, double toY) {
      add(toX, toY, true);
      x = toX;
      y = toY;
    }

    void quad(double controlX, double controlY, double toX, double toY) {
      add(controlX, controlY, false);
      line(toX, toY);
    }

    void cubic(double[] c) {
      double[] p = {x, y, c[0], c[1], c[2], c[3], c[4], c[5]};
      for (int piece = 0; piece < PIECES; piece++) {
        double from = (double) piece / PIECES;
        double to = (piece + 1.0) / PIECES;
        double half = (to - from) / 2;
        quad(
            at(p, 0, from) + slope(p, 0, from) * half,
            at(p, 1, from) + slope(p, 1, from) * half,
            at(p, 0, to),
            at(p, 1, to));
      }
    }

    private static double at(double[] p, int axis, double t) {
      double u = 1 - t;
      return u * u * u * p[axis]
          + 3 * u * u * t * p[axis + 2]
          + 3 * u * t * t * p[axis + 4]
          + t * t * t * p[axis + 6];
    }

    private static double slope(double[] p, int axis, double t) {
      double u = 1 - t;
      return 3 * u * u * (p[axis + 2] - p[axis])
          + 6 * u * t * (p[axis + 4] - p[axis + 2])
          + 3 * t * t * (p[axis + 6] - p[axis + 4]);
    }

    private void add(double toX, double toY, boolean onCurve) {
      open.add(new Point(round(toX), round(-toY), onCurve));
    }

    private static int round(double value) {
      return (int) Math.round(Math.clamp(value, -15_000, 15_000));
    }

    void close() {
      int size = open.size();
      if (size > 1 && open.getFirst().equals(open.getLast())) {
        open.removeLast();
      }
      if (open.size() > 1) {
        all.add(open);
      }
      open = new ArrayList<>();
    }
  }

  static TrueTypeOutline of(PathIterator path) {
    Contours contours = new Contours();
    double[] c = new double[6];
    for (; !path.isDone(); path.next()) {
      switch (path.currentSegment(c)) {
        case PathIterator.SEG_MOVETO -> contours.move(c[0], c[1]);
        case PathIterator.SEG_LINETO -> contours.line(c[0], c[1]);
        case PathIterator.SEG_QUADTO -> contours.quad(c[0], c[1], c[2], c[3]);
        case PathIterator.SEG_CUBICTO -> contours.cubic(c);
        default -> contours.close();
      }
    }
    contours.close();
    return encode(contours.all);
  }

  private static TrueTypeOutline encode(List<List<Point>> contours) {
    List<Point> points = contours.stream().flatMap(List::stream).toList();
    if (points.isEmpty() || points.size() > MAX_POINTS) {
      return new TrueTypeOutline(new byte[0], 0);
    }
    int left = points.stream().mapToInt(Point::x).min().orElse(0);
    int length = 10 + 2 * contours.size() + 2 + 5 * points.size();
    ByteBuffer out = ByteBuffer.allocate((length + 3) / 4 * 4);
    out.putShort((short) contours.size());
    out.putShort((short) left);
    out.putShort((short) points.stream().mapToInt(Point::y).min().orElse(0));
    out.putShort((short) points.stream().mapToInt(Point::x).max().orElse(0));
    out.putShort((short) points.stream().mapToInt(Point::y).max().orElse(0));
    int end = -1;
    for (List<Point> contour : contours) {
      end += contour.size();
      out.putShort((short) end);
    }
    out.putShort((short) 0);
    points.forEach(point -> out.put((byte) (point.onCurve() ? 1 : 0)));
    int before = 0;
    for (Point point : points) {
      out.putShort((short) (point.x() - before));
      before = point.x();
    }
    before = 0;
    for (Point point : points) {
      out.putShort((short) (point.y() - before));
      before = point.y();
    }
    return new TrueTypeOutline(out.array(), left);
  }
}
