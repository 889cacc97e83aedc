package io.millrace.server.notice;

import io.millrace.WorkflowClient;
import io.millrace.instance.ConflictException;
import io.millrace.instance.Deed;
import io.millrace.instance.InstanceNotFoundException;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Page;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.server.security.OutboundUrls;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Those who want to be told of maintenance. Thread-safe. */
public final class Subscriptions {

  /** Most characters of a mail address or a URL. */
  public static final int LONGEST_ADDRESS = 200;

  private static final int PAGE = 200;

  /** How many strangers may be asked at a time whether it was them. */
  private static final int MOST_UNCONFIRMED = 100;

  private final Supplier<WorkflowClient> client;
  private final OutboundUrls outside;

  Subscriptions(Supplier<WorkflowClient> client, OutboundUrls outside) {
    this.client = client;
    this.outside = outside;
  }

  /** A subscription that is told. */
  public record Subscribed(long id, Subscription subscription, Instant created) {}

  /**
   * Asks a stranger's address whether it wants to be told, unless it is told or has been asked; who
   * asks must not learn which.
   *
   * @return false when too many have been asked that have not answered; later
   */
  public boolean ask(String mail, List<String> affected) {
    InstanceQuery waiting =
        InstanceQuery.all()
            .type(SubscriptionWorkflow.TYPE)
            .state(SubscriptionWorkflow.UNCONFIRMED)
            .status(InstanceStatus.IN_PROGRESS)
            .limit(MOST_UNCONFIRMED);
    if (client.get().search(waiting).items().size() >= MOST_UNCONFIRMED) {
      return false;
    }
    start(new Subscription(mail, null, affected, null));
    return true;
  }

  /**
   * Has an address told without being asked, because somebody answers for it.
   *
   * @return the number of the subscription, also of one that was there
   * @throws IOException when the host of a webhook is not known
   * @throws io.millrace.server.security.RefusedUrlException when it may not be called
   */
  public long add(Subscription subscription) throws IOException {
    URI url = subscription.webhook();
    if (url != null) {
      outside.examine(url);
    }
    return start(subscription);
  }

  /** An address has one subscription at a time; the next one follows the last. */
  private long start(Subscription subscription) {
    Optional<WorkflowInstance> last =
        client
            .get()
            .search(
                InstanceQuery.all()
                    .type(SubscriptionWorkflow.TYPE)
                    .businessKey(subscription.address())
                    .limit(1))
            .items()
            .stream()
            .findFirst();
    if (last.isPresent() && !last.get().status().isTerminal()) {
      return last.get().id();
    }
    StartRequest request =
        StartRequest.of(SubscriptionWorkflow.TYPE, subscription)
            .businessKey(subscription.address())
            .externalId(last.map(WorkflowInstance::id).orElse(0L) + "|" + hash(subscription));
    try {
      return client.get().start(request).id();
    } catch (ConflictException e) {
      return start(subscription);
    }
  }

  private static String hash(Subscription subscription) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return HexFormat.of()
          .formatHex(sha256.digest(subscription.address().getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java runtime has SHA-256", e);
    }
  }

  /** Confirms a subscription; false when the token is wrong or it is too late. */
  public boolean confirm(long id, String token) {
    return tell(id, token, SubscriptionWorkflow.CONFIRM);
  }

  /** Ends a subscription; false when the token is wrong or it has ended. */
  public boolean unsubscribe(long id, String token) {
    return tell(id, token, SubscriptionWorkflow.END);
  }

  /**
   * Ends a subscription.
   *
   * @throws InstanceNotFoundException when there is none of this number
   */
  public void unsubscribe(long id, Deed deed) {
    boolean mine =
        client
            .get()
            .find(id)
            .filter(one -> one.type().equals(SubscriptionWorkflow.TYPE))
            .isPresent();
    if (!mine) {
      throw new InstanceNotFoundException(id);
    }
    client.get().signal(id, SubscriptionWorkflow.END, null, deed.actor(), null);
  }

  private boolean tell(long id, String token, String signal) {
    Optional<WorkflowInstance> found =
        client
            .get()
            .find(id)
            .filter(one -> one.type().equals(SubscriptionWorkflow.TYPE))
            .filter(one -> !one.status().isTerminal());
    Optional<String> expected = found.flatMap(one -> token(one.id()));
    if (expected.isEmpty() || !Secret.areEqual(expected.get(), token)) {
      return false;
    }
    client.get().signal(id, signal, null, "subscriber", signal);
    return true;
  }

  /**
   * A page of subscriptions that are told, newest first.
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

  /** One that is told; empty when it has ended. */
  Optional<Subscription> active(long id) {
    return client
        .get()
        .find(id)
        .filter(one -> !one.status().isTerminal())
        .flatMap(one -> client.get().input(one.id(), Subscription.class));
  }

  /** What confirms and ends it. */
  Optional<String> token(long id) {
    return client.get().variable(id, SubscriptionWorkflow.TOKEN, String.class);
  }

  /** All that are told. */
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
