package io.millrace.codec;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses the codec from those on the class path. */
public final class CodecDiscovery {

  private static final Logger LOG = LoggerFactory.getLogger(CodecDiscovery.class);

  private CodecDiscovery() {}

  /**
   * Returns the codec that the class path offers.
   *
   * @throws CodecException if there is none, or its library is missing
   */
  public static Codec find() {
    // The context class loader of a thread may know another copy of the engine's classes.
    List<CodecProvider> providers = load(CodecDiscovery.class.getClassLoader());
    return choose(
        providers.isEmpty() ? load(Thread.currentThread().getContextClassLoader()) : providers);
  }

  private static List<CodecProvider> load(ClassLoader loader) {
    return ServiceLoader.load(CodecProvider.class, loader).stream()
        .map(ServiceLoader.Provider::get)
        .toList();
  }

  static Codec choose(List<CodecProvider> providers) {
    List<CodecProvider> best =
        providers.stream().sorted(Comparator.comparingInt(CodecProvider::rank).reversed()).toList();
    if (best.isEmpty()) {
      throw new CodecException(
          "There is no codec on the class path that could write values as JSON. Add one of the"
              + " artifacts millrace-jackson3 (for Jackson 3) and millrace-jackson2 (for Jackson 2)"
              + " of the group io.millrace, or pass a codec to codec(...) of the engine's builder.",
          null);
    }
    CodecProvider chosen = best.getFirst();
    Codec codec = create(chosen);
    if (best.size() == 1) {
      LOG.info("Values are written by the codec of {}", chosen.artifact());
    } else {
      LOG.info(
          "Values are written by the codec of {}, which is preferred; others on the class path: {}."
              + " To use another, pass it to codec(...) of the engine's builder",
          chosen.artifact(),
          best.stream().skip(1).map(CodecProvider::artifact).collect(Collectors.joining(", ")));
    }
    return codec;
  }

  private static Codec create(CodecProvider provider) {
    try {
      return provider.create();
    } catch (LinkageError e) {
      throw new CodecException(
          provider.artifact()
              + " is on the class path, but classes that it needs are missing or of another version"
              + " than it expects: "
              + e
              + ". Add the libraries that its POM names.",
          e);
    }
  }
}
