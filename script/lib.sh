# shellcheck shell=bash
# Functions shared by the scripts of this folder, which source this file.
# shellcheck disable=SC2034 # the variables are for those scripts

# The folder of the checkout.
TOP=$(unset CDPATH && cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)

# Programs for administrators (runuser, initdb on some systems) live here; an empty environment
# often leaves these folders out.
PATH=$PATH:/usr/sbin:/sbin
export PATH

# In a locale of ASCII alone, such as C or one that is not installed, Java could neither read arguments
# nor open files whose names are not plain ASCII.
case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}}=$(locale charmap 2>/dev/null || :) in
  C=* | POSIX=* | *=ANSI_X3.4-1968)
    if locale -a 2>/dev/null | grep -qix 'c\.utf-\?8'; then
      export LC_ALL=C.UTF-8
    fi
    ;;
esac

# A closed standard input would be replaced by the first file that a program opens.
if ! { : <&0; } 2>/dev/null; then
  exec </dev/null
fi

say() {
  printf '==> %s\n' "$*" >&2
}

# Ends the script because the machine lacks something.
give_up() {
  printf 'error: %s\n' "$*" >&2
  exit 2
}

have() {
  command -v "$1" >/dev/null 2>&1
}

# True where this script may install packages by itself: Debian or Ubuntu, as root.
can_install() {
  [[ -e /etc/debian_version ]] && have apt-get && [[ $(id -u) -eq 0 ]]
}

apt_updated=no
apt_update() {
  if [[ $apt_updated = no ]]; then
    say "updating the list of packages"
    DEBIAN_FRONTEND=noninteractive apt-get -qq update >&2 || say "apt-get update failed, going on"
    apt_updated=yes
  fi
}

apt_install() {
  apt_update
  say "installing $*"
  DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "$@" >&2 \
    || give_up "apt-get could not install $*"
}

# need COMMAND PACKAGE: makes sure that a command exists.
need() {
  have "$1" && return
  if can_install; then
    apt_install "$2"
  fi
  have "$1" || give_up "'$1' is missing: install the package '$2' (or put '$1' on PATH)"
}

# Prints the major version of the JDK in folder $1, or 0 if there is no JDK.
jdk_version() {
  local version=0
  if [[ -x $1/bin/java && -x $1/bin/javac ]]; then
    version=$("$1/bin/javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p' | head -n 1)
  fi
  printf '%s\n' "${version:-0}"
}

# Prints the folders that may hold a JDK, the preferred ones first.
jdk_candidates() {
  local java
  printf '%s\n' "${JAVA_HOME:-}"
  if java=$(command -v java); then
    "$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p'
  fi
  if [[ -x /usr/libexec/java_home ]]; then
    /usr/libexec/java_home -v 21+ 2>/dev/null || true
  fi
  printf '%s\n' /usr/lib/jvm/* /opt/homebrew/opt/openjdk* /usr/local/opt/openjdk*
}

# Sets JAVA_HOME to the first JDK 21 or newer; fails if there is none.
find_jdk() {
  local folder
  while IFS= read -r folder; do
    if [[ -n $folder && $(jdk_version "$folder") -ge 21 ]]; then
      export JAVA_HOME=$folder
      return 0
    fi
  done < <(jdk_candidates)
  return 1
}

need_jdk() {
  local package
  find_jdk && return
  if can_install; then
    apt_update
    for package in openjdk-25-jdk-headless openjdk-21-jdk-headless; do
      if apt-cache show "$package" >/dev/null 2>&1; then
        apt_install "$package"
        break
      fi
    done
  fi
  find_jdk || give_up "no JDK 21 or newer found: install one (for example Eclipse Temurin 25)" \
    "below /usr/lib/jvm, or set JAVA_HOME to it"
}

# Sets PG_BIN to the folder with the programs of the PostgreSQL server; fails if there is none.
find_postgres() {
  local folder
  while IFS= read -r folder; do
    if [[ -x $folder/initdb && -x $folder/pg_ctl && -x $folder/postgres ]]; then
      PG_BIN=$folder
      return 0
    fi
  done < <(
    pg_config --bindir 2>/dev/null || true
    printf '%s\n' /usr/lib/postgresql/*/bin /usr/pgsql-*/bin | sort -rV
    command -v initdb | sed 's,/initdb$,,'
    printf '%s\n' /opt/homebrew/opt/postgresql*/bin /usr/local/opt/postgresql*/bin
  )
  return 1
}

need_postgres() {
  find_postgres && return
  if can_install; then
    apt_install postgresql
  fi
  find_postgres || give_up "the PostgreSQL server is missing (initdb, pg_ctl, postgres):" \
    "install it ('postgresql' on Debian and Homebrew, 'postgresql-server' on Fedora)" \
    "or put its programs on PATH"
}

# Sets RABBITMQ_BIN to the folder with the programs of RabbitMQ; fails if it is not there. What
# Debian has on PATH are wrappers for its own service.
find_rabbitmq() {
  local folder
  have erl && have epmd || return 1
  while IFS= read -r folder; do
    if [[ -x $folder/rabbitmq-server && -x $folder/rabbitmq-env ]]; then
      RABBITMQ_BIN=$folder
      return 0
    fi
  done < <(
    printf '%s\n' /usr/lib/rabbitmq/bin /usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin \
      /opt/homebrew/opt/rabbitmq/sbin /usr/local/opt/rabbitmq/sbin
    command -v rabbitmq-server | sed 's,/rabbitmq-server$,,'
  )
  return 1
}

need_rabbitmq() {
  find_rabbitmq && return
  if can_install; then
    install_without_service rabbitmq-server
  fi
  find_rabbitmq || give_up "RabbitMQ is missing (rabbitmq-server, with erl and epmd on PATH):" \
    "install it ('rabbitmq-server' on Debian and Fedora, 'rabbitmq' on Homebrew)"
}

# Sets REDIS_SERVER to the program of a Redis or Valkey that the protocol of Redis flows works on, which
# needs Redis 6.2; fails if there is none.
find_redis() {
  local name program
  for name in "${MILLRACE_TEST_REDIS_SERVER:-}" redis-server valkey-server \
    /opt/homebrew/opt/{redis,valkey}/bin/{redis,valkey}-server /usr/local/opt/{redis,valkey}/bin/{redis,valkey}-server; do
    if [[ -n $name ]] && program=$(command -v "$name") && is_new_redis "$program"; then
      REDIS_SERVER=$program
      return 0
    fi
  done
  return 1
}

# True if the program $1 is a Redis 6.2 or newer, or a Valkey.
is_new_redis() {
  [[ $("$1" --version 2>/dev/null) =~ v=([0-9]+)\.([0-9]+) ]] \
    && ((BASH_REMATCH[1] > 6 || (BASH_REMATCH[1] == 6 && BASH_REMATCH[2] >= 2)))
}

need_redis() {
  find_redis && return
  if can_install; then
    install_without_service redis-server
  fi
  find_redis || give_up "Redis 6.2 or newer is missing (redis-server, or valkey-server): install it" \
    "('redis-server' on Debian, 'valkey' on Fedora, 'redis' on Homebrew), put its program on PATH," \
    "or name it in MILLRACE_TEST_REDIS_SERVER"
}

need_nginx() {
  have nginx && return
  if can_install; then
    install_without_service nginx
  fi
  have nginx || give_up "nginx is missing: install it, and put it on PATH"
}

# install_without_service PACKAGE: installs it; its service of the same name is neither started now
# nor at the next boot.
install_without_service() {
  local policy=/usr/sbin/policy-rc.d ours=no
  if [[ ! -e $policy ]]; then
    ours=yes
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
  fi
  (apt_install "$1") || true
  [[ $ours = no ]] || rm -f -- "$policy"
  if [[ -d /run/systemd/system ]]; then
    systemctl disable --now "$1" >/dev/null 2>&1 || true
  fi
}

# True where libfaketime is installed, which gives a process a wrong clock.
have_faketime() {
  compgen -G '/usr/lib/*/faketime/libfaketimeMT.so.1' >/dev/null \
    || compgen -G '/usr/lib*/faketime/libfaketimeMT.so.1' >/dev/null
}

# begin_at TIME: from here on it is that time, in UTC, for all programs that this script starts.
begin_at() {
  local target library=$TOP/target/othertime.so
  need cc gcc
  target=$(date -u -d "$1" +%s) || give_up "'$1' is no time that 'date -d' reads"
  mkdir -p -- "$TOP/target"
  cc -O2 -shared -fPIC -o "$library" "$TOP/script/othertime.c" -ldl || give_up "script/othertime.c was not compiled"
  export OTHER_TIME_SECONDS=$((target - $(date +%s))) LD_PRELOAD=$library
}

# Installs libfaketime where that is possible; without it the tests leave a fault out and say so.
want_faketime() {
  have_faketime && return
  if can_install; then
    (apt_install libfaketime) || true
  fi
  have_faketime || say "libfaketime is missing (package 'libfaketime'): no node gets a wrong clock"
}

# True if the program $1 is Node 20.19 or newer.
is_node() {
  "$1" -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' \
    2>/dev/null
}

# Puts a Node that can build the web UI, with its npm, in front on PATH; fails if there is none.
find_node() {
  local node
  while IFS= read -r node; do
    if [[ -x $node && -x ${node%/*}/npm ]] && is_node "$node"; then
      PATH=${node%/*}:$PATH
      return 0
    fi
  done < <(
    command -v node
    printf '%s\n' /usr/local/bin/node /opt/homebrew/bin/node /opt/node*/bin/node \
      "${HOME:-/root}"/.nvm/versions/node/*/bin/node
  )
  return 1
}

need_node() {
  find_node && return
  if can_install; then
    (apt_install nodejs npm) || true
  fi
  find_node || give_up "the web UI is built, and Redis flows are tested, with Node 20.19 or newer" \
    "and its npm: install them (the UI alone is left out with -DskipUi)"
}

# Sets CHROMIUM to the browser's program; fails if there is none.
find_chromium() {
  local name
  for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
    if [[ -n $name ]] && have "$name"; then
      CHROMIUM=$(command -v "$name")
      export CHROMIUM
      return 0
    fi
  done
  return 1
}

need_chromium() {
  find_chromium && return
  if can_install; then
    apt_install chromium
  fi
  find_chromium || give_up "the web UI is tested with Chromium: install it, name its program in" \
    "CHROMIUM, or leave the UI out with -DskipUi"
}

# True if one of the arguments, which are those for mvn, leaves the web UI out.
skips_ui() {
  local argument
  for argument in "$@"; do
    [[ $argument = -DskipUi || $argument = -DskipUi=true ]] && return 0
  done
  return 1
}

# build_ui [bundle]: builds the web UI into ui/dist, from where the server's build takes it; "bundle" leaves
# the check of its types out. Needs need_node.
build_ui() {
  local contract=$TOP/server/src/main/resources/io/millrace/server/openapi.yaml
  install_ui
  if [[ -e $TOP/ui/dist/index.html ]] \
    && [[ -z $(find "$TOP/ui" "$contract" \( -name node_modules -o -name dist -o -name output \) -prune \
      -o -type f ! -name schema.ts -newer "$TOP/ui/dist/index.html" -print) ]]; then
    return
  fi
  say "building the web UI"
  run_npm run "${1:-build}" || give_up "the web UI was not built; leave it out with -DskipUi"
}

# Downloads what the web UI is built with, if that has changed.
install_ui() {
  install_packages ui "what the web UI is built with"
}

# Downloads the npm packages that Redis flows are tested with, if they have changed; needs need_node.
install_redis_peers() {
  install_packages redis/src/test/node "the npm packages that Redis flows are tested with"
}

# install_packages FOLDER WHAT: downloads the packages of a lock file, if that has changed.
install_packages() {
  local done=$TOP/$1/node_modules/.package-lock.json
  [[ -e $done && ! $TOP/$1/package-lock.json -nt $done ]] && return
  say "downloading $2"
  # What has been downloaded is not asked for again, and nothing but the packages is.
  npm_in "$1" ci --prefer-offline --no-audit --no-fund || give_up "npm could not download $2"
  touch -- "$done"
}

# Runs npm in ui.
run_npm() {
  npm_in ui "$@"
}

# npm_in FOLDER ARGUMENT...: runs npm there; what it prints is shown only when it fails.
npm_in() {
  local log folder=$TOP/$1
  shift
  log=$(mktemp "${TMPDIR:-/tmp}/millrace-npm.XXXXXX")
  if ! (cd -- "$folder" && npm "$@") >"$log" 2>&1; then
    cat -- "$log" >&2
    rm -f -- "$log"
    return 1
  fi
  rm -f -- "$log"
}

# Compiles what the server runs, without tests and Error Prone and into folders of its own, unless that
# has been done; sets SERVER_CLASSPATH to what it runs with, the pages of ui/dist among it. These may be
# built meanwhile.
build_server() {
  local target=$TOP/distribution/target/unchecked
  local file=$target/server.classpath stamp=$target/server-built # as old as what it was built from
  need mvn maven
  mkdir -p -- "$target/pages/io/millrace/server"
  ln -sfn -- "$TOP/ui/dist" "$target/pages/io/millrace/server/ui"
  if [[ ! -e $stamp || ! -e $file || ! -d $TOP/server/target/unchecked/classes ]] \
    || [[ -n $(cd -- "$TOP" && find pom.xml {schedule,engine,jackson3,jackson2,testing,rabbitmq,redis,report,examples,server,imports,demo}/pom.xml \
      {schedule,engine,jackson3,jackson2,testing,rabbitmq,redis,report,examples,server,imports,demo}/src/main -newer "$stamp" -print 2>/dev/null) ]]; then
    say "building the server (the first build downloads libraries, which takes a minute or two)"
    touch -- "$stamp.new"
    (cd -- "$TOP" && maven -q -pl distribution -am -Dunchecked -DskipUi compile dependency:build-classpath \
      "-Dmdep.includeScope=runtime" "-Dmdep.outputFile=$file") >&2 \
      || give_up "the build failed; the same without -q shows more: mvn -B -ntp -pl distribution -am -Dunchecked -DskipUi compile"
    mv -f -- "$stamp.new" "$stamp"
  fi
  SERVER_CLASSPATH=$target/pages:$(<"$file")
}

# Compiles verification and what it needs, and sets VERIFICATION_CLASSPATH to what its tests need.
build_verification() {
  build_tests verification
  VERIFICATION_CLASSPATH=$TEST_CLASSPATH
}

# build_tests MODULE: compiles it and those that it needs, without the web UI, and sets
# TEST_CLASSPATH to what its tests need.
build_tests() {
  local file=$TOP/$1/target/test.classpath
  say "building (the first build downloads libraries)"
  mkdir -p -- "$TOP/$1/target"
  (cd -- "$TOP" && maven -q -pl "$1" -am -Dspotless.check.skip=true -DskipUi \
    test-compile dependency:build-classpath "-Dmdep.outputFile=$file") >&2 \
    || give_up "the build failed; the same without -q shows more: mvn -B -ntp test-compile"
  TEST_CLASSPATH=$TOP/$1/target/test-classes:$TOP/$1/target/classes:$(<"$file")
}

# Prints a port of 127.0.0.1 on which nothing listens now.
free_port() {
  local port
  for _ in {1..50}; do
    port=$((20000 + RANDOM % 10000))
    if ! (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      printf '%s\n' "$port"
      return
    fi
  done
  give_up "no free port found between 20000 and 30000"
}

maven() {
  mvn -B -ntp "$@"
}
