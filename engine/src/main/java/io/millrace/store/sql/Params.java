package io.millrace.store.sql;

import io.millrace.instance.StorableText;
import io.millrace.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The values of a statement's named parameters. */
final class Params {

  /**
   * End of a query of arrays as rows. It limits nothing, but makes PostgreSQL expect few rows, so
   * that it looks up each of them in an index. If it knows the number of elements, it often reads
   * all of the other table instead.
   */
  static final String EXPECT_FEW = " LIMIT (SELECT 2147483647)";

  /** Values that the database receives as an array. */
  private static final class Column {
    final String type;
    final @Nullable Object[] values;

    Column(String type, @Nullable Object[] values) {
      this.type = type;
      this.values = values;
    }
  }

  private final Map<String, @Nullable Object> values = new HashMap<>();

  static Params none() {
    return new Params();
  }

  static Params of(String name, @Nullable Object value) {
    return new Params().set(name, value);
  }

  Params set(String name, @Nullable Object value) {
    values.put(
        name,
        value instanceof Instant time
            ? time.atOffset(ZoneOffset.UTC)
            : value instanceof String text ? storable(name, text) : value);
    return this;
  }

  Params longs(String name, Collection<Long> numbers) {
    return longs(name, numbers, number -> number);
  }

  <T> Params longs(String name, Collection<T> rows, Function<T, @Nullable Long> value) {
    return column(name, "bigint", rows, value, new Long[rows.size()]);
  }

  <T> Params ints(String name, Collection<T> rows, Function<T, @Nullable Integer> value) {
    return column(name, "integer", rows, value, new Integer[rows.size()]);
  }

  <T> Params texts(String name, Collection<T> rows, Function<T, @Nullable String> value) {
    return column(
        name, "varchar", rows, row -> storable(name, value.apply(row)), new String[rows.size()]);
  }

  /** Rejects a text, as a last check, that the database would reject or change. */
  private static @Nullable String storable(String name, @Nullable String text) {
    if (text != null && !StorableText.isStorable(text)) {
      throw StoreException.permanent(
          "The text for :"
              + name
              + " cannot be stored as it is; expected text "
              + StorableText.EXPECTED
              + ".");
    }
    return text;
  }

  <T> Params booleans(String name, Collection<T> rows, Function<T, @Nullable Boolean> value) {
    return column(name, "boolean", rows, value, new Boolean[rows.size()]);
  }

  /**
   * Adds an array of its own type, which the driver of PostgreSQL sends in binary form, not as
   * text.
   */
  private <T, V> Params column(
      String name,
      String type,
      Collection<T> rows,
      Function<T, @Nullable V> value,
      @Nullable V[] array) {
    int i = 0;
    for (T row : rows) {
      array[i++] = value.apply(row);
    }
    values.put(name, new Column(type, array));
    return this;
  }

  /** Sets the parameters of {@code statement}, which was made from {@code sql}. */
  void bind(PreparedStatement statement, NamedSql sql) throws SQLException {
    Connection connection = statement.getConnection();
    for (int i = 0; i < sql.names().size(); i++) {
      String name = sql.names().get(i);
      if (!values.containsKey(name)) {
        throw new IllegalStateException("No value for :" + name + " in " + sql.jdbc());
      }
      Object value = values.get(name);
      if (value instanceof Column column) {
        statement.setArray(i + 1, connection.createArrayOf(column.type, column.values));
      } else {
        statement.setObject(i + 1, value);
      }
    }
  }
}
