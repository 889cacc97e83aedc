package io.millrace.verification.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Tests that the model and the core use the same names, so that neither changes without the other.
 */
class LeaseModelNamesTest {

  @Test
  void everyActionIsInOneOfTheTablesAndNothingElseIs() throws IOException {
    LeaseModel model = LeaseModel.read();
    Set<String> tables = new TreeSet<>(model.methods().keySet());
    tables.addAll(model.world());
    assertThat(tables).hasSizeGreaterThan(20).isEqualTo(model.actions());
  }

  @Test
  void everyActionHasTheNameOfAMethodOfTheCore() throws Exception {
    for (Map.Entry<String, String> row : LeaseModel.read().methods().entrySet()) {
      String[] place = row.getValue().split("#", 2);
      assertThat(place[1]).as("the method of action %s", row.getKey()).isEqualTo(row.getKey());
      Class<?> type = Class.forName(place[0], false, getClass().getClassLoader());
      assertThat(Arrays.stream(type.getDeclaredMethods()).map(Method::getName))
          .as("the methods of %s, of which the model has action %s", type.getName(), place[1])
          .contains(place[1]);
    }
  }
}
