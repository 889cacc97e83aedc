# shellcheck shell=bash
# Functions shared by the scripts of this folder, which source this file.
# shellcheck disable=SC2034 # the variables are for those scripts

# The folder of the checkout.
TOP=$(unset CDPATH && cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)

# Programs for administrators (runuser, initdb on some systems) live here; an empty environment
# often leaves these folders out.
PATH=$PATH:/usr/sbin:/sbin
export PATH

# Without a locale Java could not open files whose names are not plain ASCII.
if [[ -z ${LC_ALL:-}${LC_CTYPE:-}${LANG:-} ]] && locale -a 2>/dev/null | grep -qix 'c\.utf-\?8'; then
  export LC_ALL=C.UTF-8
fi

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

# True where libfaketime is installed, which gives a process a wrong clock.
have_faketime() {
  compgen -G '/usr/lib/*/faketime/libfaketimeMT.so.1' >/dev/null \
    || compgen -G '/usr/lib*/faketime/libfaketimeMT.so.1' >/dev/null
}

# Installs libfaketime where that is possible; without it the tests leave a fault out and say so.
want_faketime() {
  have_faketime && return
  if can_install; then
    (apt_install libfaketime) || true
  fi
  have_faketime || say "libfaketime is missing (package 'libfaketime'): no node gets a wrong clock"
}

# Compiles all modules and sets VERIFICATION_CLASSPATH to what the tests of the last one need.
build_verification() {
  local file=$TOP/verification/target/test.classpath
  say "building (the first build downloads libraries)"
  mkdir -p -- "$TOP/verification/target"
  (cd -- "$TOP" && maven -q -pl verification -am -Dspotless.check.skip=true \
    test-compile dependency:build-classpath "-Dmdep.outputFile=$file") >&2 \
    || give_up "the build failed; the same without -q shows more: mvn -B -ntp test-compile"
  VERIFICATION_CLASSPATH=$TOP/verification/target/test-classes:$(<"$file")
}

maven() {
  mvn -B -ntp "$@"
}
