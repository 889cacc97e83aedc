package io.millrace.benchmarks.peer;

import io.millrace.benchmarks.peer.millrace.MillracePeer;
import java.util.List;
import java.util.Locale;

/** The engines that take part, in the order of the tables. */
public enum Peers {
  MILLRACE("Millrace");

  /** Those that are measured unless others are asked for. */
  public static final List<Peers> USUAL = List.of(MILLRACE);

  private final String title;

  Peers(String title) {
    this.title = title;
  }

  /** As it is called in tables. */
  public String title() {
    return title;
  }

  /** As it is called on the command line, such as {@code db-scheduler}. */
  public String option() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public Peer create() {
    return switch (this) {
      case MILLRACE -> new MillracePeer();
    };
  }
}
