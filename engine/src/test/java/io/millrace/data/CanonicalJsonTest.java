package io.millrace.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.PlainJson;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalJsonTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, 0",
    "1.50, 1.5",
    "-1e2, -100",
    "0.000001, 0.000001",
    "1e-7, 1e-7",
    "1.25E-9, 1.25e-9",
    "1e20, 100000000000000000000",
    "1e21, 1e+21",
    "1.5e300, 1.5e+300",
    "9007199254740993, 9007199254740993",
    "9007199254740992, 9007199254740992"
  })
  void numbersAreWrittenAsJavaScriptDoes(String given, String expected) {
    assertThat(CanonicalJson.number(new BigDecimal(given))).isEqualTo(expected);
  }

  @Test
  void membersAreSortedAndSignsEscapedAsLittleAsPossible() {
    String json = "{ \"b\" : [ ], \"a\" : { }, \"\\u20ac\" : \"\\u000f\\n/\\u00e9\", \"A\" : null}";

    assertThat(CanonicalJson.write(PlainJson.parse(json)))
        .isEqualTo("{\"A\":null,\"a\":{},\"b\":[],\"€\":\"\\u000f\\n/é\"}");
  }
}
