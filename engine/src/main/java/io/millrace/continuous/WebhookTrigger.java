package io.millrace.continuous;

import java.util.Optional;

/** A trigger for events that clients send. */
record WebhookTrigger() implements Trigger {

  @Override
  public String describe() {
    return "what is sent to it";
  }

  @Override
  public Source open(TriggerContext scope) {
    return () -> {
      Optional<TriggerContext.OfferedEvent> offered = scope.nextOfferedEvent();
      return offered.isPresent()
          ? new PollResult.ExternalEvent(offered.get())
          : PollResult.untilWoken();
    };
  }
}
