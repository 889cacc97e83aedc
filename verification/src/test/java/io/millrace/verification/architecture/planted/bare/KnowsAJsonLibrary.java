package io.millrace.verification.architecture.planted.bare;

import tools.jackson.databind.json.JsonMapper;

/** A violation: the engine uses a JSON library. */
public final class KnowsAJsonLibrary {

  public Class<?> look() {
    return JsonMapper.class;
  }
}
