package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.continuous.Continuous;
import io.millrace.extension.EngineExtension;
import io.millrace.extension.EnginePart;
import io.millrace.extension.EngineServices;
import io.millrace.instance.InvalidRequestException;
import io.millrace.sequence.Sequences;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the features that an engine has. */
class FeatureSetTest {

  private record Named(String name, List<EngineExtension> needs) implements EngineExtension {
    @Override
    public EnginePart part(EngineServices engine) {
      return new EnginePart() {};
    }
  }

  private final FeatureSet features = new FeatureSet();

  private List<String> names() {
    return features.resolved().stream().map(EngineExtension::name).toList();
  }

  @Test
  void anEngineHasAllUnlessSomeAreNamed() {
    features.add(Sequences.of());
    assertThat(names()).containsExactly("data", "sequences", "continuous", "cluster");

    features.onlyAdded();
    assertThat(names()).containsExactly("sequences");
  }

  @Test
  void oneComesAfterThoseThatItNeeds() {
    features.onlyAdded();
    features.add(Continuous.of());
    features.add(new Named("last", List.of(new Named("middle", List.of(Sequences.idle())))));

    assertThat(names()).containsExactly("data", "continuous", "sequences", "middle", "last");
  }

  @Test
  void oneThatIsNeededIsTheOneThatWasAdded() {
    Named added = new Named("middle", List.of());
    features.onlyAdded();
    features.add(new Named("last", List.of(new Named("middle", List.of(Sequences.idle())))));
    features.add(added);

    assertThat(features.resolved().getFirst()).isSameAs(added);
    assertThat(names()).containsExactly("middle", "last");
  }

  @Test
  void oneThatCannotBeJoinedIsRefusedTheSecondTime() {
    features.add(new Named("own", List.of()));

    assertThatThrownBy(() -> features.add(new Named("own", List.of())))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage("The feature 'own' was added to the engine twice, expected once.");
  }
}
