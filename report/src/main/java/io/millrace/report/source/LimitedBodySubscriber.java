package io.millrace.report.source;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** Collector of an answer up to a size; a longer one fails. */
final class LimitedBodySubscriber implements BodySubscriber<byte[]> {

  private final BodySubscriber<byte[]> collected = BodySubscribers.ofByteArray();
  private final long limit;
  private long size;
  private @Nullable Subscription subscription;

  LimitedBodySubscriber(long limit) {
    this.limit = limit;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return collected.getBody();
  }

  @Override
  public void onSubscribe(Subscription given) {
    subscription = given;
    collected.onSubscribe(given);
  }

  @Override
  public void onNext(List<ByteBuffer> parts) {
    for (ByteBuffer part : parts) {
      size += part.remaining();
    }
    if (size <= limit) {
      collected.onNext(parts);
      return;
    }
    if (subscription != null) {
      subscription.cancel();
    }
    collected.onError(
        new IOException("it has more than " + limit + " bytes. Aggregate in the query."));
  }

  @Override
  public void onError(Throwable failure) {
    collected.onError(failure);
  }

  @Override
  public void onComplete() {
    collected.onComplete();
  }
}
