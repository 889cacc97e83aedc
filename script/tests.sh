# shellcheck shell=bash
# How script/test and script/prove run tests with Maven and read what came of them. Sourced after lib.sh.

work=$(mktemp -d /tmp/millrace-tests.XXXXXX) # removed by end_tests
log=$work/log                                # all that the run has printed
watchdog=
maven_pid= # Maven, while it runs; its launcher becomes the JVM
tee_pid=   # what prints its output, likewise

# After this long without a line of output a run hangs, however slow the machine is.
QUIET_SECONDS=${MILLRACE_TEST_QUIET_SECONDS:-900}

# After four times as long it hangs if only engines log and throw, as those of other tests in the JVM may.
LOGGED='^(\[[^]]*\] (TRACE|DEBUG|INFO|WARN|ERROR) |[[:space:]]+(at|\.\.\.) |(Caused by: )?[a-z]+(\.[A-Za-z0-9_$]+)+(: |$))'

begin_tests() {
  : >"$log"
  watch_output &
  watchdog=$!
}

end_tests() {
  if [[ -n $watchdog ]]; then
    kill "$watchdog" 2>/dev/null
    wait "$watchdog" 2>/dev/null
  fi
  rm -rf -- "$work"
}

# The one limit in time. Prints the stacks of the JVMs that this script has started, and kills them and
# what Node.js runs.
watch_output() {
  local size=-1 lines=-1 now quiet=0 logging=0 pid hung
  while sleep 5 >/dev/null 2>&1; do
    now=$(wc -c <"$log")
    quiet=$((quiet + 5))
    [[ $now = "$size" ]] || quiet=0
    size=$now
    now=$(grep -acvE "$LOGGED" "$log" || true)
    logging=$((logging + 5))
    [[ $now = "$lines" ]] || logging=0
    lines=$now
    [[ $quiet -ge $QUIET_SECONDS || $logging -ge $((4 * QUIET_SECONDS)) ]] || continue
    hung=$(started java; started node)
    [[ -n $hung ]] || continue
    say "nothing was printed for $quiet seconds, and nothing but logs for $logging: the stacks of all JVMs follow," \
      "which are ended then"
    quiet=0
    logging=0
    touch -- "$work/hung"
    for pid in $(started java); do
      say "JVM $pid"
      "$JAVA_HOME/bin/jcmd" "$pid" Thread.print >&2 || true
    done
    # shellcheck disable=SC2086 # a word for each
    kill -KILL $hung 2>/dev/null || true
  done
}

# started NAME: prints the numbers of the processes below this script whose program's name begins so.
started() {
  ps -A -o pid= -o ppid= -o comm= | awk -v top="$$" -v name="$1" '
    { parent[$1] = $2; sub(/.*\//, "", $3); program[$1] = $3 }
    END {
      for (pid in parent) {
        if (index(program[pid], name) != 1) continue
        for (up = pid; up in parent && up != top; up = parent[up]) {}
        if (up == top) print pid
      }
    }'
}

# Runs mvn; its output is seen, and by the watchdog as well. The script waits for it in the background,
# because bash handles a signal only when a command in the foreground has ended.
logged_maven() {
  local status=0
  [[ -p $work/output ]] || mkfifo "$work/output"
  tee -a "$log" <"$work/output" &
  tee_pid=$!
  (exec mvn -B -ntp "$@" </dev/null >"$work/output" 2>&1) &
  maven_pid=$!
  wait "$maven_pid" || status=$?
  maven_pid=
  wait "$tee_pid" || true
  tee_pid=
  return "$status"
}

# Ends Maven and the JVMs that it has started, for a script that ends while they run.
end_maven() {
  if [[ -n $maven_pid ]]; then
    # shellcheck disable=SC2046 # a word for each
    kill -TERM "$maven_pid" $(started java) 2>/dev/null
    wait "$maven_pid" 2>/dev/null
    maven_pid=
  fi
  # Does not end by itself while a program of a test is left that has its output.
  if [[ -n $tee_pid ]]; then
    kill -TERM "$tee_pid" 2>/dev/null
    wait "$tee_pid" 2>/dev/null
    tee_pid=
  fi
}

# read_reports NAME FAILURES [MODULE...]: sets ran and failures to the numbers in the reports of that name
# and writes the failures to that file; see Reports.java. Fails if the reports are not complete.
read_reports() {
  ran=0
  failures=0
  : >"$2"
  "$JAVA_HOME/bin/java" "$TOP/script/Reports.java" "$@" >"$work/numbers" || return 1
  read -r ran failures <"$work/numbers"
}

# remove_reports NAME: removes them from all modules.
remove_reports() {
  rm -rf -- "$TOP"/*/target/"$1"
}

# minutes SECONDS: prints them as minutes.
minutes() {
  printf '%d:%02d' $(($1 / 60)) $(($1 % 60))
}
