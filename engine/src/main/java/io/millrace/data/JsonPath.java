package io.millrace.data;

import io.millrace.instance.InvalidRequestException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A path to a part of a JSON value.
 *
 * @param names members of objects, and indexes of arrays, from the outermost
 */
record JsonPath(List<String> names) {

  /** Result for a part that does not exist, as opposed to one that is null. */
  static final Object MISSING = new Object();

  private static final int MAX_INDEX_DIGITS = 9;

  /** Reads {@code /a/b}, {@code $.a.b} and {@code $.a.b[*]}. */
  static JsonPath of(String path) {
    String bare = path.strip();
    if (bare.endsWith("[*]")) {
      bare = bare.substring(0, bare.length() - 3);
    }
    if (bare.startsWith("$")) {
      bare = bare.substring(1).replace("~", "~0").replace("/", "~1").replace('.', '/');
    } else if (!bare.isEmpty() && !bare.startsWith("/")) {
      bare = "/" + bare.replace('.', '/');
    }
    if (bare.isEmpty()) {
      return new JsonPath(List.of());
    }
    if (!bare.startsWith("/")) {
      throw new InvalidRequestException(
          "'" + path + "' is no path in JSON; expected one such as /a/b or $.a.b.");
    }
    List<String> names = new ArrayList<>();
    for (String name : bare.substring(1).split("/", -1)) {
      names.add(name.replace("~1", "/").replace("~0", "~"));
    }
    return new JsonPath(List.copyOf(names));
  }

  /** Returns the part of a value, or {@link #MISSING}. */
  @Nullable Object in(@Nullable Object value) {
    return in(value, names.size());
  }

  /** Removes the part of a value if it is a member of an object. */
  void remove(@Nullable Object value) {
    if (!names.isEmpty() && in(value, names.size() - 1) instanceof Map<?, ?> parent) {
      parent.remove(names.getLast());
    }
  }

  private @Nullable Object in(@Nullable Object value, int length) {
    Object part = value;
    for (String name : names.subList(0, length)) {
      if (part instanceof Map<?, ?> members && members.containsKey(name)) {
        part = members.get(name);
      } else if (part instanceof List<?> elements && index(name) < elements.size()) {
        part = elements.get(index(name));
      } else {
        return MISSING;
      }
    }
    return part;
  }

  /** Returns the index that a name stands for; that of no element if it is not an index. */
  private static int index(String name) {
    boolean index =
        !name.isEmpty()
            && name.length() <= MAX_INDEX_DIGITS
            && name.chars().allMatch(c -> c >= '0' && c <= '9')
            && (name.length() == 1 || name.charAt(0) != '0');
    return index ? Integer.parseInt(name) : Integer.MAX_VALUE;
  }
}
