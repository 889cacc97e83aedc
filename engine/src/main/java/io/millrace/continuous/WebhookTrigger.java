package io.millrace.continuous;

import java.util.Optional;

/** What others send. */
record WebhookTrigger() implements Trigger {

  @Override
  public String describe() {
    return "what is sent to it";
  }

  @Override
  public Source open(TriggerScope scope) {
    return () -> {
      Optional<TriggerScope.Offered> offered = scope.offered();
      return offered.isPresent() ? new Poll.Outside(offered.get()) : Poll.untilWoken();
    };
  }
}
