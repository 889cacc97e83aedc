package io.millrace.server.notice;

import io.millrace.WorkflowClient;
import io.millrace.instance.ConflictException;
import io.millrace.instance.InstanceNotFoundException;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.Page;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.server.security.ConstantTime;
import io.millrace.server.security.OutboundClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The subscriptions to maintenance messages. Thread-safe. */
public final class Subscriptions {

  /** The workflow type of subscriptions. */
  public static final String TYPE = SubscriptionWorkflow.TYPE;

  /** Upper limit of the characters of a mail address or a URL. */
  public static final int MAX_ADDRESS = 200;

  private static final int PAGE = 200;

  /**
   * Upper limit of the confirmation mails to one mailbox in 24 hours, from all clients that request
   * them.
   */
  private static final int MAX_MAILS = 3;

  private static final Duration DAY = Duration.ofDays(1);
  private static final int LOCKS = 64;

  private final Supplier<WorkflowClient> client;
  private final OutboundClient outside;
  private final SubscriptionTokens tokens;
  private final InstantSource clock;

  /**
   * Locks, each for a part of the mailboxes, so that concurrent requests do not exceed the limit.
   */
  private final List<ReentrantLock> locks =
      Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

  Subscriptions(
      Supplier<WorkflowClient> client,
      OutboundClient outside,
      SubscriptionTokens tokens,
      InstantSource clock) {
    this.client = client;
    this.outside = outside;
    this.tokens = tokens;
    this.clock = clock;
  }

  /** An active subscription. */
  public record Subscribed(long id, Subscription subscription, Instant created) {}

  /**
   * Sends a mail that asks the owner of an address for confirmation, unless the address is
   * subscribed, a confirmation is pending, or the daily limit of the mailbox is reached. The caller
   * does not learn which.
   *
   * @param rateLimiter decides when the mail is sent
   */
  public void requestConfirmation(String mail, List<String> affected, MailRateLimiter rateLimiter) {
    Subscription wanted = new Subscription(mail, null, affected, null);
    String mailbox = tokens.mailboxKey(mail);
    ReentrantLock lock = locks.get(Math.floorMod(mailbox.hashCode(), LOCKS));
    lock.lock();
    try {
      Optional<WorkflowInstance> last = last(wanted);
      if (last.isPresent() && !last.get().status().isTerminal()) {
        bringForward(last.get(), rateLimiter);
      } else if (mailsOfDay(mailbox) < MAX_MAILS) {
        start(
            wanted,
            request ->
                request
                    .variable(SubscriptionWorkflow.MAILBOX, mailbox)
                    .after(rateLimiter.reserve()));
      }
    } finally {
      lock.unlock();
    }
  }

  private int mailsOfDay(String mailbox) {
    InstanceQuery query =
        InstanceQuery.all()
            .type(SubscriptionWorkflow.TYPE)
            .variable(SubscriptionWorkflow.MAILBOX, mailbox)
            .createdBetween(clock.instant().minus(DAY), null)
            .limit(MAX_MAILS);
    return client.get().search(query).items().size();
  }

  /**
   * Sends a waiting mail at once if the queue is free. A flood that included an address must not
   * delay the mail that its owner requests.
   */
  private void bringForward(WorkflowInstance one, MailRateLimiter rateLimiter) {
    if (one.status() != InstanceStatus.CREATED || !rateLimiter.delay().isZero()) {
      return;
    }
    rateLimiter.reserve();
    try {
      client
          .get()
          .move(
              one.id(),
              SubscriptionWorkflow.REQUESTED,
              SubscriptionWorkflow.REQUESTED,
              OperatorAction.by("subscriber"));
    } catch (ConflictException e) {
      // The mail is being sent already.
    }
  }

  /**
   * Adds a subscription without a confirmation, on behalf of an operator.
   *
   * @return the id of the new or existing subscription
   * @throws IOException if the host of a webhook cannot be resolved
   * @throws io.millrace.server.security.RejectedUrlException if the webhook may not be called
   */
  public long add(Subscription subscription) throws IOException {
    URI url = subscription.webhook();
    if (url != null) {
      outside.examine(url);
    }
    return start(subscription, request -> request);
  }

  private Optional<WorkflowInstance> last(Subscription subscription) {
    InstanceQuery query =
        InstanceQuery.all()
            .type(SubscriptionWorkflow.TYPE)
            .businessKey(tokens.addressKey(subscription))
            .limit(1);
    return client.get().search(query).items().stream().findFirst();
  }

  /**
   * Starts a subscription, or returns the active one of the address. An address has one
   * subscription at a time; the external id refers to the previous one.
   */
  private long start(Subscription subscription, UnaryOperator<StartRequest> more) {
    String key = tokens.addressKey(subscription);
    Optional<WorkflowInstance> last = last(subscription);
    if (last.isPresent() && !last.get().status().isTerminal()) {
      return last.get().id();
    }
    StartRequest request =
        StartRequest.of(SubscriptionWorkflow.TYPE, subscription)
            .businessKey(key)
            .externalId(last.map(WorkflowInstance::id).orElse(0L) + "|" + key);
    try {
      return client.get().start(more.apply(request)).id();
    } catch (ConflictException e) {
      return start(subscription, more);
    }
  }

  /** Confirms a subscription; returns false if the token is wrong or has expired. */
  public boolean confirm(long id, String token) {
    return sendSignal(id, token, SubscriptionWorkflow.CONFIRM);
  }

  /** Ends a subscription; returns false if the token is wrong or the subscription has ended. */
  public boolean unsubscribe(long id, String token) {
    return sendSignal(id, token, SubscriptionWorkflow.END);
  }

  /**
   * Ends a subscription.
   *
   * @throws InstanceNotFoundException if there is none with this id
   */
  public void unsubscribe(long id, OperatorAction action) {
    boolean mine =
        client
            .get()
            .find(id)
            .filter(one -> one.type().equals(SubscriptionWorkflow.TYPE))
            .isPresent();
    if (!mine) {
      throw new InstanceNotFoundException(id);
    }
    client.get().signal(id, SubscriptionWorkflow.END, null, action.actor(), null);
  }

  private boolean sendSignal(long id, String token, String signal) {
    Optional<WorkflowInstance> found =
        client
            .get()
            .find(id)
            .filter(one -> one.type().equals(SubscriptionWorkflow.TYPE))
            .filter(one -> !one.status().isTerminal());
    if (found.isEmpty() || !isTokenOf(id, token)) {
      return false;
    }
    client.get().signal(id, signal, null, "subscriber", signal);
    return true;
  }

  /**
   * Returns a page of active subscriptions, newest first.
   *
   * @param cursor null for the first page
   */
  public Page<Subscribed> page(@Nullable String cursor, int limit) {
    Page<WorkflowInstance> page = client.get().search(active().limit(limit).after(cursor));
    List<Subscribed> all = new ArrayList<>();
    for (WorkflowInstance one : page.items()) {
      client
          .get()
          .input(one.id(), Subscription.class)
          .ifPresent(s -> all.add(new Subscribed(one.id(), s, one.timing().created())));
    }
    return new Page<>(all, page.next());
  }

  /** Returns a subscription; empty if it has ended. */
  Optional<Subscription> active(long id) {
    return client
        .get()
        .find(id)
        .filter(one -> !one.status().isTerminal())
        .flatMap(one -> client.get().input(one.id(), Subscription.class));
  }

  /** Returns the token that confirms and ends a subscription. */
  String token(long id, Subscription subscription) {
    return tokens.token(id, subscription);
  }

  private boolean isTokenOf(long id, String token) {
    return client
        .get()
        .input(id, Subscription.class)
        .filter(one -> ConstantTime.areEqual(tokens.token(id, one), token))
        .isPresent();
  }

  /** Passes all active subscriptions to {@code work}, one page at a time. */
  void forEachPage(Consumer<List<Subscribed>> work) {
    String cursor = null;
    do {
      Page<Subscribed> page = page(cursor, PAGE);
      work.accept(page.items());
      cursor = page.next();
    } while (cursor != null);
  }

  private static InstanceQuery active() {
    return InstanceQuery.all()
        .type(SubscriptionWorkflow.TYPE)
        .state(SubscriptionWorkflow.ACTIVE)
        .status(InstanceStatus.IN_PROGRESS);
  }
}
