package io.millrace.schedule;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.field.CronField;
import com.cronutils.model.field.CronFieldName;
import com.cronutils.model.field.expression.Always;
import com.cronutils.model.field.expression.And;
import com.cronutils.model.field.expression.Between;
import com.cronutils.model.field.expression.Every;
import com.cronutils.model.field.expression.FieldExpression;
import com.cronutils.model.field.expression.On;
import com.cronutils.model.field.value.FieldValue;
import com.cronutils.model.field.value.SpecialChar;
import com.cronutils.parser.CronParser;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses the text of a cron into its fields. Uses only the parser of cron-utils. */
final class QuartzCronParser {

  /** Shared by all threads, because it has no state. */
  private static final CronParser PARSER =
      new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.QUARTZ));

  private static final int MAX_LENGTH = 500;

  /** A field of the text. The expected values end an error message. */
  private enum Field {
    SECONDS("0-59", 0, 59),
    MINUTES("0-59", 0, 59),
    HOURS("0-23", 0, 23),
    DAY_OF_MONTH("1-31, ?, L, L-3, LW, L-3W or 15W", 1, 31),
    MONTH("1-12 or JAN-DEC", 1, 12),
    DAY_OF_WEEK("1-7 from Sunday or SUN-SAT, ?, 6L or 6#3", 1, 7),
    YEAR("1970-2199, or nothing", CronFields.FIRST_YEAR, CronFields.LAST_YEAR);

    private final String expected;
    private final int first;
    private final int last;

    Field(String expected, int first, int last) {
      this.expected = expected;
      this.first = first;
      this.last = last;
    }

    String words() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * Pattern of an element. It is stricter than the parser, which ignores some of what it does not
   * understand.
   */
  private static final Pattern ELEMENT =
      Pattern.compile(
          "(\\*|[A-Z0-9]+(-[A-Z0-9]+)?)?(/\\d+)?|\\?|L|L-\\d+W?|LW|\\d+W|[A-Z0-9]+#[1-5]|[A-Z0-9]+L");

  private static final Pattern YEARS =
      Pattern.compile("(\\*|(?<from>\\d{1,4})(-(?<to>\\d{1,4}))?)(/(?<step>\\d{1,4}))?");

  private QuartzCronParser() {}

  static CronFields parse(String text) {
    ScheduleValidation.require(
        text.length() <= MAX_LENGTH,
        "A cron of "
            + text.length()
            + " characters begins '"
            + ScheduleValidation.shortened(text)
            + "'; expected at most "
            + MAX_LENGTH
            + ".");
    String[] parts = text.split(" ");
    ScheduleValidation.require(
        parts.length == 6 || parts.length == 7,
        "Cron '%s' has %s fields; expected 6 or 7: seconds, minutes, hours, day of month, month, day of week, and a year if need be."
            .formatted(text, text.isEmpty() ? 0 : parts.length));
    for (int i = 0; i < parts.length; i++) {
      for (String element : parts[i].split(",", -1)) {
        if (element.isEmpty() || !ELEMENT.matcher(element).matches()) {
          throw refused(text, parts, i, "'" + element + "' is no value");
        }
        checkStep(text, parts, i, element);
      }
    }
    ScheduleValidation.require(
        parts[3].equals("?") != parts[5].equals("?"),
        "Cron '"
            + text
            + "': day of month is '"
            + parts[3]
            + "' and day of week is '"
            + parts[5]
            + "'; expected exactly one of them to be '?'.");
    try {
      return fields(parts);
    } catch (RuntimeException e) {
      throw explained(text, parts, e);
    }
  }

  /**
   * Rejects a step beyond the field, which is mostly meant as an interval that a cron cannot
   * express.
   */
  private static void checkStep(String text, String[] parts, int index, String element) {
    int slash = element.indexOf('/');
    if (slash < 0) {
      return;
    }
    Field field = Field.values()[index];
    String digits = element.substring(slash + 1);
    int size = field.last - field.first + 1;
    int step = digits.length() > 6 ? Integer.MAX_VALUE : Integer.parseInt(digits);
    if (step >= 1 && step < size) {
      return;
    }
    String unit = field.words().replace(" of week", "s").replace(" of month", "s");
    String advice =
        step == 0
            ? "expected a step of 1 or more."
            : "expected a step from 1 to "
                + (size - 1)
                + ". For an interval of "
                + digits
                + " "
                + unit
                + ", use an interval schedule, such as "
                + (field == Field.MINUTES
                    ? "{\"every\": \"PT" + digits + "M\"}."
                    : "{\"every\": \"PT36H\"}.");
    throw new InvalidScheduleException(
        "Cron '%s': %s is '%s': the step %s %s; %s"
            .formatted(
                text,
                field.words(),
                parts[index],
                digits,
                step == 0
                    ? "is not positive"
                    : "exceeds the range " + field.first + "-" + field.last,
                advice));
  }

  /**
   * Returns the fields. The parser knows years up to 2099 only and no working days before the last,
   * so these are parsed separately.
   */
  private static CronFields fields(String[] parts) {
    String[] known = Arrays.copyOf(parts, 6);
    List<CronFields.DayRule> rules = new ArrayList<>();
    List<String> days = new ArrayList<>();
    for (String element : parts[3].split(",", -1)) {
      if (element.matches("L-\\d{1,3}W")) {
        int before = Integer.parseInt(element.substring(2, element.length() - 1));
        if (before > 30) {
          throw new IllegalArgumentException("Value " + before + " not in range [0, 30]");
        }
        rules.add(new CronFields.WorkdayNearLast(before));
      } else {
        days.add(element);
      }
    }
    known[3] = days.isEmpty() ? "1" : String.join(",", days);
    CronFields fields = fields(PARSER.parse(String.join(" ", known)));
    if (!days.isEmpty()) {
      rules.addAll(0, fields.days());
    }
    return new CronFields(
        fields.seconds(),
        fields.minutes(),
        fields.hours(),
        rules,
        fields.months(),
        parts.length < 7 ? null : years(parts[6]));
  }

  private static @Nullable BitSet years(String text) {
    if (text.equals("*") || text.equals("?")) {
      return null;
    }
    BitSet all = new BitSet();
    for (String element : text.split(",", -1)) {
      Matcher year = YEARS.matcher(element);
      if (!year.matches()) {
        throw new IllegalArgumentException("'" + element + "' is no year");
      }
      boolean every = year.group("from") == null;
      int from = every ? Field.YEAR.first : Integer.parseInt(year.group("from"));
      int step = year.group("step") == null ? 1 : Integer.parseInt(year.group("step"));
      int to =
          year.group("to") != null
              ? Integer.parseInt(year.group("to"))
              : every || year.group("step") != null ? Field.YEAR.last : from;
      all.or(bits(from, to, step, Field.YEAR));
    }
    return all;
  }

  /** Returns an error that names the field, which is found by parsing each field alone. */
  private static InvalidScheduleException explained(
      String text, String[] parts, RuntimeException why) {
    String[] good = {"0", "0", "0", "?", "*", "*", "*"};
    for (int i = 0; i < parts.length; i++) {
      String[] one = good.clone();
      one[i] = parts[i];
      if (i == 3 && !parts[3].equals("?")) {
        one[5] = "?";
      }
      if (i == 5 && parts[5].equals("?")) {
        one[3] = "*";
      }
      try {
        fields(one);
      } catch (RuntimeException e) {
        return refused(text, parts, i, messageOf(e));
      }
    }
    return new InvalidScheduleException("Cron '" + text + "': " + messageOf(why) + ".");
  }

  private static InvalidScheduleException refused(
      String text, String[] parts, int index, String why) {
    Field field = Field.values()[index];
    return new InvalidScheduleException(
        "Cron '%s': %s is '%s': %s; expected *, or values and ranges of %s, with /step or commas."
            .formatted(text, field.words(), parts[index], why, field.expected));
  }

  private static String messageOf(RuntimeException e) {
    String message = e.getMessage();
    return message == null
        ? "it cannot be read"
        : message.replace("Failed to parse cron expression. ", "").replaceFirst("\\.$", "");
  }

  private static CronFields fields(Cron cron) {
    Map<CronFieldName, CronField> map = cron.retrieveFieldsAsMap();
    FieldExpression dayOfMonth = expression(map, CronFieldName.DAY_OF_MONTH);
    FieldExpression dayOfWeek = expression(map, CronFieldName.DAY_OF_WEEK);
    List<CronFields.DayRule> rules = new ArrayList<>();
    if (dayOfMonth.asString().equals("?")) {
      addDaysOfWeek(dayOfWeek, rules);
    } else {
      addDaysOfMonth(dayOfMonth, rules);
    }
    return new CronFields(
        values(expression(map, CronFieldName.SECOND), Field.SECONDS),
        values(expression(map, CronFieldName.MINUTE), Field.MINUTES),
        values(expression(map, CronFieldName.HOUR), Field.HOURS),
        rules,
        values(expression(map, CronFieldName.MONTH), Field.MONTH),
        null);
  }

  private static FieldExpression expression(Map<CronFieldName, CronField> map, CronFieldName name) {
    return Objects.requireNonNull(map.get(name), () -> "Field " + name).getExpression();
  }

  private static void addDaysOfMonth(FieldExpression expression, List<CronFields.DayRule> rules) {
    switch (expression) {
      case And and -> and.getExpressions().forEach(one -> addDaysOfMonth(one, rules));
      case On on -> rules.add(dayOfMonth(on));
      default -> rules.add(new CronFields.DaysOfMonth(values(expression, Field.DAY_OF_MONTH)));
    }
  }

  private static CronFields.DayRule dayOfMonth(On on) {
    int day = on.getTime().getValue();
    return switch (on.getSpecialChar().getValue()) {
      case L -> {
        if (day >= 0) {
          throw new IllegalArgumentException("a number before L is for days of the week");
        }
        yield new CronFields.LastDay(Math.max(0, on.getNth().getValue()));
      }
      case LW -> new CronFields.LastWorkday();
      case W -> new CronFields.NearestWorkday(inRange(day, Field.DAY_OF_MONTH));
      case NONE -> new CronFields.DaysOfMonth(values(on, Field.DAY_OF_MONTH));
      default -> throw new IllegalArgumentException("'" + on.asString() + "' is no day of a month");
    };
  }

  private static void addDaysOfWeek(FieldExpression expression, List<CronFields.DayRule> rules) {
    switch (expression) {
      case And and -> and.getExpressions().forEach(one -> addDaysOfWeek(one, rules));
      case On on -> rules.add(dayOfWeek(on));
      default -> rules.add(new CronFields.DaysOfWeek(values(expression, Field.DAY_OF_WEEK)));
    }
  }

  private static CronFields.DayRule dayOfWeek(On on) {
    int day = on.getTime().getValue();
    return switch (on.getSpecialChar().getValue()) {
      // As in Quartz, L alone is the last day of the week.
      case L ->
          day < 0
              ? new CronFields.DaysOfWeek(bits(7, 7, 1, Field.DAY_OF_WEEK))
              : new CronFields.LastOfMonth(inRange(day, Field.DAY_OF_WEEK));
      case HASH ->
          new CronFields.NthOfMonth(inRange(day, Field.DAY_OF_WEEK), on.getNth().getValue());
      case NONE -> new CronFields.DaysOfWeek(values(on, Field.DAY_OF_WEEK));
      default -> throw new IllegalArgumentException("'" + on.asString() + "' is no day of a week");
    };
  }

  private static BitSet values(FieldExpression expression, Field field) {
    return switch (expression) {
      case Always all -> bits(field.first, field.last, 1, field);
      case And and -> {
        BitSet all = new BitSet();
        and.getExpressions().forEach(one -> all.or(values(one, field)));
        yield all;
      }
      case Between range -> bits(value(range.getFrom()), value(range.getTo()), 1, field);
      case On on -> bits(plain(on), plain(on), 1, field);
      case Every every -> steps(every, field);
      default -> throw new IllegalArgumentException("'" + expression.asString() + "' is no value");
    };
  }

  /** Returns the values of steps: {@code 5/10} goes from 5 to the end of the field. */
  private static BitSet steps(Every every, Field field) {
    int step = every.getPeriod().getValue();
    if (step < 1) {
      throw new IllegalArgumentException("Step " + step + " is less than 1");
    }
    return switch (every.getExpression()) {
      case Always all -> bits(field.first, field.last, step, field);
      case On on -> bits(plain(on), field.last, step, field);
      case Between range -> bits(value(range.getFrom()), value(range.getTo()), step, field);
      default -> throw new IllegalArgumentException("'" + every.asString() + "' is no value");
    };
  }

  /** Returns the values of a range; one whose end precedes its start wraps around. */
  private static BitSet bits(int from, int to, int step, Field field) {
    inRange(from, field);
    inRange(to, field);
    int size = field.last - field.first + 1;
    int end = to < from ? to + size : to;
    BitSet bits = new BitSet();
    for (int value = from; value <= end; value += step) {
      bits.set(value > field.last ? value - size : value);
    }
    return bits;
  }

  private static int plain(On on) {
    if (!on.getSpecialChar().getValue().equals(SpecialChar.NONE)) {
      throw new IllegalArgumentException("'" + on.asString() + "' is no value of this field");
    }
    return on.getTime().getValue();
  }

  private static int value(@Nullable FieldValue<?> value) {
    if (value != null && value.getValue() instanceof Integer number) {
      return number;
    }
    throw new IllegalArgumentException("'" + value + "' cannot be an end of a range");
  }

  private static int inRange(int value, Field field) {
    if (value < field.first || value > field.last) {
      throw new IllegalArgumentException(
          "Value " + value + " not in range [" + field.first + ", " + field.last + "]");
    }
    return value;
  }
}
