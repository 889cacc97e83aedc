package io.millrace.jackson2;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import com.fasterxml.jackson.databind.util.StdDateFormat;
import java.io.IOException;
import java.text.FieldPosition;
import java.time.Month;
import java.time.Year;
import java.util.Date;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Rules of Jackson 3 for which Jackson 2 has no setting in all of its versions. */
final class Jackson3Rules {

  private Jackson3Rules() {}

  /** Keeps the components of records in their order, while properties of classes are sorted. */
  static final class RecordOrder extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable Boolean findSerializationSortAlphabetically(Annotated type) {
      Boolean annotated = super.findSerializationSortAlphabetically(type);
      if (annotated == null && type.getRawType().isRecord()) {
        return Boolean.FALSE;
      }
      return annotated;
    }
  }

  /** Writes the offset of UTC as Z. */
  static final class DateFormat extends StdDateFormat {
    private static final long serialVersionUID = 1L;
    private static final String OFFSET = "+00:00";

    @Override
    @SuppressWarnings({"JdkObsolete", "JavaUtilDate"}) // the types of the JDK's DateFormat
    public StringBuffer format(Date date, StringBuffer text, FieldPosition position) {
      StringBuffer formatted = super.format(date, text, position);
      int end = formatted.length() - OFFSET.length();
      if (end > 0 && formatted.indexOf(OFFSET, end) == end) {
        formatted.replace(end, formatted.length(), "Z");
      }
      return formatted;
    }

    @Override
    public StdDateFormat clone() {
      return new DateFormat();
    }
  }

  /** Returns a module that writes months from 1 and years as numbers, and locales by their tags. */
  static SimpleModule types() {
    SimpleModule module = new SimpleModule("millrace-jackson3-rules");
    module.addSerializer(new NumberSerializer<>(Month.class));
    module.addSerializer(new NumberSerializer<>(Year.class));
    module.addSerializer(new LocaleSerializer());
    module.addDeserializer(Month.class, new MonthDeserializer());
    return module;
  }

  private static final class NumberSerializer<T> extends StdScalarSerializer<T> {
    private static final long serialVersionUID = 1L;

    NumberSerializer(Class<T> type) {
      super(type);
    }

    @Override
    public void serialize(T value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeNumber(value instanceof Month month ? month.getValue() : ((Year) value).getValue());
    }
  }

  private static final class LocaleSerializer extends StdScalarSerializer<Locale> {
    private static final long serialVersionUID = 1L;

    LocaleSerializer() {
      super(Locale.class);
    }

    @Override
    public void serialize(Locale value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeString(value.equals(Locale.ROOT) ? "" : value.toLanguageTag());
    }
  }

  private static final class MonthDeserializer extends StdScalarDeserializer<Month> {
    private static final long serialVersionUID = 1L;

    MonthDeserializer() {
      super(Month.class);
    }

    @Override
    public Month deserialize(JsonParser in, DeserializationContext context) throws IOException {
      boolean number = in.currentToken() == JsonToken.VALUE_NUMBER_INT;
      String text = in.getText();
      for (Month month : Month.values()) {
        if (number ? month.getValue() == in.getIntValue() : month.name().equals(text)) {
          return month;
        }
      }
      return (Month)
          context.handleWeirdStringValue(
              Month.class, text, "expected 1 to 12 or JANUARY to DECEMBER");
    }
  }
}
