# shellcheck shell=bash
# The private servers of the tests: PostgreSQL, RabbitMQ and Redis, each on a free port of 127.0.0.1.
# Sourced after lib.sh by the scripts that run tests; they call stop_servers when they end.

postgres= # the temporary folder of PostgreSQL, once there is one
rabbit=   # that of RabbitMQ
rabbit_pid=
redis=    # that of Redis
redis_pid=

# needs_one_of MODULE...: true if the tests of one of these modules run; $modules has them all, each on
# a line, or nothing for every module.
needs_one_of() {
  local module
  [[ -n $modules ]] || return 0
  for module in "$@"; do
    grep -qxF -- "$module" <<<"$modules" && return 0
  done
  return 1
}

# Starts what the tests of $modules connect to, and tells them by environment variables.
start_servers() {
  if needs_one_of rabbitmq server verification; then
    need_rabbitmq
    start_rabbitmq # at first, because it takes some seconds
  fi
  if needs_one_of benchmarks continuous-tests engine-tests imports report sequences-tests server verification; then
    need_postgres
    export MILLRACE_TEST_POSTGRES_BIN=$PG_BIN
    start_postgres
  fi
  if needs_one_of benchmarks demo examples redis server verification; then
    need_redis
    export MILLRACE_TEST_REDIS_SERVER=$REDIS_SERVER
    start_redis
  fi
  [[ -z $rabbit ]] || await_rabbitmq
}

stop_servers() {
  stop_redis
  stop_rabbitmq
  stop_postgres
}

# Runs a PostgreSQL program; as the user postgres if we are root, for which it refuses to run.
as_postgres() {
  if [[ $(id -u) -eq 0 ]]; then
    (cd / && runuser -u postgres -- "$@")
  else
    "$@"
  fi
}

# Sets MILLRACE_TEST_POSTGRES_URL. Its data need not outlive the machine, nor its databases their test;
# the tests that kill a server start one of their own, with fsync.
start_postgres() {
  local port attempt
  postgres=$(mktemp -d /tmp/millrace-pg.XXXXXX)
  if [[ $(id -u) -eq 0 ]]; then
    have runuser || give_up "'runuser' is missing: PostgreSQL does not run as root"
    id postgres >/dev/null 2>&1 || give_up "PostgreSQL does not run as root: add a user 'postgres'"
    chown postgres "$postgres"
  fi

  as_postgres "$PG_BIN/initdb" -D "$postgres/data" -U millrace --auth=trust --no-sync \
    --encoding=UTF8 --locale=C >"$postgres/initdb.log" 2>&1 \
    || { cat "$postgres/initdb.log" >&2; give_up "initdb failed"; }
  printf '%s\n' 'host all all 127.0.0.1/32 trust' >"$postgres/data/pg_hba.conf"

  for attempt in {1..20}; do
    port=$(free_port)
    if as_postgres "$PG_BIN/pg_ctl" -D "$postgres/data" -l "$postgres/data/server.log" -w -t 600 \
      -o "-c listen_addresses=127.0.0.1 -c port=$port -c max_connections=200 -c fsync=off" \
      -o "-c full_page_writes=off -c jit=off -c unix_socket_directories='$postgres'" start >/dev/null 2>&1; then
      as_postgres "$PG_BIN/createdb" -h 127.0.0.1 -p "$port" -U millrace millrace
      export MILLRACE_TEST_POSTGRES_URL="jdbc:postgresql://127.0.0.1:$port/millrace?user=millrace"
      say "PostgreSQL runs on port $port"
      return
    fi
    say "PostgreSQL did not start on port $port (attempt $attempt)"
  done
  cat "$postgres/data/server.log" >&2 || true
  give_up "PostgreSQL did not start"
}

stop_postgres() {
  [[ -n $postgres ]] || return 0
  if [[ -e $postgres/data/postmaster.pid ]]; then
    as_postgres "$PG_BIN/pg_ctl" -D "$postgres/data" -m immediate -w stop >/dev/null 2>&1 \
      || say "could not stop PostgreSQL in $postgres"
  fi
  rm -rf -- "$postgres"
  postgres=
}

# Starts a broker and sets MILLRACE_TEST_RABBITMQ_URI; await_rabbitmq tells when it runs.
start_rabbitmq() {
  local port
  rabbit=$(mktemp -d /tmp/millrace-mq.XXXXXX)
  port=$(free_port)
  "$TOP/script/rabbitmq" "$rabbit" "$port" >"$rabbit/output" 2>&1 &
  rabbit_pid=$!
  export MILLRACE_TEST_RABBITMQ_URI="amqp://guest:guest@127.0.0.1:$port"
}

# Another program may take a port between the look at it and its use; then others are tried.
await_rabbitmq() {
  local attempt
  for attempt in {1..5}; do
    while kill -0 "$rabbit_pid" 2>/dev/null; do
      if grep -q 'RabbitMQ runs' "$rabbit/output"; then
        say "RabbitMQ runs at $MILLRACE_TEST_RABBITMQ_URI"
        return
      fi
      sleep 0.2
    done
    say "RabbitMQ did not start (attempt $attempt)"
    cat "$rabbit/output" >&2
    tail -n 50 "$rabbit/server.log" >&2 || true
    stop_rabbitmq
    start_rabbitmq
  done
  give_up "RabbitMQ did not start"
}

stop_rabbitmq() {
  if [[ -n $rabbit_pid ]]; then
    kill -TERM "$rabbit_pid" 2>/dev/null || true
    wait "$rabbit_pid" 2>/dev/null || true
    rabbit_pid=
  fi
  [[ -z $rabbit ]] || rm -rf -- "$rabbit"
  rabbit=
}

# Sets MILLRACE_TEST_REDIS_URI. It stores nothing; the tests that kill a server start one of their own.
start_redis() {
  local port attempt
  redis=$(mktemp -d /tmp/millrace-redis.XXXXXX)
  for attempt in {1..20}; do
    port=$(free_port)
    "$REDIS_SERVER" --port "$port" --bind 127.0.0.1 --dir "$redis" --save '' --appendonly no \
      >"$redis/server.log" 2>&1 &
    redis_pid=$!
    while kill -0 "$redis_pid" 2>/dev/null; do
      if grep -q 'eady to accept connections' "$redis/server.log"; then
        export MILLRACE_TEST_REDIS_URI="redis://127.0.0.1:$port"
        say "Redis runs on port $port"
        return
      fi
      sleep 0.1
    done
    stop_redis_process
    say "Redis did not start on port $port (attempt $attempt)"
  done
  cat -- "$redis/server.log" >&2 || true
  give_up "Redis did not start"
}

stop_redis_process() {
  if [[ -n $redis_pid ]]; then
    kill -TERM "$redis_pid" 2>/dev/null || true
    wait "$redis_pid" 2>/dev/null || true
    redis_pid=
  fi
}

stop_redis() {
  stop_redis_process
  [[ -z $redis ]] || rm -rf -- "$redis"
  redis=
}
