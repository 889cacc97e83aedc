package io.millrace.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TypeRefTest {

  private abstract static class Named<T> extends TypeRef<List<T>> {}

  @Test
  void itHasTheTypeWithItsArguments() {
    assertThat(new TypeRef<List<String>>() {}).hasToString("java.util.List<java.lang.String>");
    assertThat(new TypeRef<String>() {}.type()).isEqualTo(String.class);
    assertThat(TypeRef.of(String.class).type()).isEqualTo(String.class);
    assertThat(TypeRef.of(String.class)).hasToString("java.lang.String");
  }

  @Test
  @SuppressWarnings("rawtypes")
  void aSubclassWithoutArgumentIsRefused() {
    List<Runnable> wrong = new ArrayList<>();
    wrong.add(() -> new TypeRef() {});
    wrong.add(() -> new Named<String>() {});
    for (Runnable one : wrong) {
      assertThatThrownBy(one::run)
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("new TypeRef<List<Order>>() {}");
    }
  }
}
