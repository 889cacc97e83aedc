package io.millrace.continuous;

/** A trigger for events that clients send. */
record WebhookTrigger() implements Trigger {

  @Override
  public String describe() {
    return "what is sent to it";
  }

  @Override
  public Source open(TriggerContext scope) {
    return () ->
        scope
            .nextOfferedEvent()
            .<PollResult>map(PollResult.Offered::new)
            .orElseGet(PollResult::untilWoken);
  }
}
