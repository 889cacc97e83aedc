package io.millrace.redis.connect;

import io.millrace.redis.connect.Greeting.RefusedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes connections to the one server, or to the one that the sentinels name. */
record Dialling(RedisSettings settings) {

  /**
   * A connection that is logged in.
   *
   * @param id the server's number of the connection; 0 if it does not tell
   */
  record Line(Link link, long id) {}

  Line connect() throws IOException, RefusedException {
    Place place = place();
    try {
      Link link = Link.to(place, settings);
      try {
        return new Line(link, Greeting.of(link, settings));
      } catch (IOException | RefusedException | RuntimeException e) {
        link.close();
        throw e;
      }
    } catch (IOException e) {
      throw unusable(place, e.getMessage(), e.getCause());
    } catch (RuntimeException e) {
      throw unusable(place, e.toString(), e); // such as a context for TLS that cannot be used
    }
  }

  private static IOException unusable(
      Place place, @Nullable String why, @Nullable Throwable cause) {
    return new IOException(Greeting.named(place) + " cannot be used: " + why, cause);
  }

  /** Whom a message names before a connection was made. */
  String name() {
    return settings.sentinel() == null
        ? Greeting.named(settings.place())
        : "Redis " + settings.sentinel().master() + " of the " + settings.sentinel();
  }

  private Place place() throws IOException {
    RedisSettings.Sentinel sentinel = settings.sentinel();
    if (sentinel == null) {
      return settings.place();
    }
    List<String> faults = new ArrayList<>();
    for (Place place : sentinel.places()) {
      try (Link link = Link.to(place, settings)) {
        Place master = master(link, sentinel.master());
        if (master != null) {
          return master;
        }
        faults.add(place.address() + " does not know it");
      } catch (IOException | RefusedException | RuntimeException e) {
        faults.add(place.address() + ": " + e.getMessage());
      }
    }
    throw new IOException(
        "No sentinel tells where master '"
            + sentinel.master()
            + "' is ("
            + String.join("; ", faults)
            + ")");
  }

  private @Nullable Place master(Link link, String master) throws IOException, RefusedException {
    link.readTimeout(settings.connectTimeout());
    List<List<String>> commands = new ArrayList<>(Greeting.login(link.place));
    commands.add(List.of("SENTINEL", "get-master-addr-by-name", master));
    List<@Nullable Object> replies = link.exchange(commands);
    for (Object reply : replies) {
      Greeting.require(reply, link.place, "does not answer as a sentinel");
    }
    return Resp.value(replies.getLast()) instanceof List<?> address && address.size() == 2
        ? settings
            .place()
            .at(String.valueOf(address.get(0)), Integer.parseInt(String.valueOf(address.get(1))))
        : null;
  }
}
