package io.millrace;

import io.millrace.codec.Codec;
import io.millrace.definition.DefinitionDocument;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InvalidRequestException;
import io.millrace.store.DefinitionStore.StoredDefinition;
import io.millrace.store.Store;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Encodes the values of variables that a search compares. */
final class VariableMatchEncoder {

  private VariableMatchEncoder() {}

  /**
   * Returns the JSON text that the query's variable must equal; null if the query has none.
   *
   * @throws InvalidRequestException if the variable is secret
   */
  static @Nullable String variableValue(Store store, Codec codec, InstanceQuery query) {
    InstanceQuery.VariableMatch variable = query.variable();
    if (variable == null) {
      return null;
    }
    Set<String> types = query.match().types();
    for (StoredDefinition stored : store.definitions().list()) {
      boolean asked = types.isEmpty() || types.contains(stored.type());
      if (asked && DefinitionDocument.parse(stored.document()).secrecy().covers(variable.name())) {
        throw secret(variable.name(), stored.type(), types.isEmpty());
      }
    }
    return codec.encode(variable.value());
  }

  private static InvalidRequestException secret(String variable, String type, boolean anyType) {
    return new InvalidRequestException(
        "Variable '"
            + variable
            + "' of workflow '"
            + type
            + "' is secret, so that instances cannot be found by it. Search by a business key or by another variable"
            + (anyType ? ", or name the type of those you look for." : "."));
  }
}
