------------------------------- MODULE State -------------------------------
(*
  The content of the database, the memory of the processes, and their initial state. The actions on
  them are in the modules Lease, Operators and World.
*)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  Nodes,      \* processes
  Instances,  \* workflow instances
  Steps,      \* number of states of each instance
  Faults,     \* number of lease ends, kills and deletions by the world, and of stops by an operator
  Losses,     \* number of messages that are lost, late, or rejected
  Actions,      \* actions of operators and others, out of "cancel", "pause", "signal"
  IdleBeats,  \* TRUE to include heartbeats that find nothing to do
  Rules       \* the rules of the protocol in force; a mutant omits some

AllRules == {
  "executor", "lease", "seq",  \* values that a save must match
  "readBack",                  \* a save that matches nothing looks for its own entry
  "sameEntry",                 \* ... and accepts only an entry that it wrote itself
  "fencedStops",               \* a fenced holder drops the claim
  "latestClaim",               \* the answer of an older claim does not displace a later claim
  "raise",                     \* a claim raises lease_version
  "raiseOnTaking",             \* an action that revokes the lease raises it too
  "reconcile",                 \* an owned, unknown instance is released
  "tickets",                   \* ... unless an open request may explain it
  "unownedStops",              \* a held instance that is not owned is dropped
  "deadOnly",                  \* recovery checks again that the executor is dead
  "knownExecutor",             \* no instance stays owned by an executor without a row
  "drainWaits"                 \* a stop waits for held instances and open requests
}

None == [none |-> TRUE]
Nobody == 0
Ids == 1..(Cardinality(Nodes) + Faults)
Failure == Steps + 1            \* the state for failures; the end is the state Steps

VARIABLES
  row,       \* the instances in the database
  hist,      \* their history: entry k is the action with seq k
  exec,      \* the executors in the database
  mode,      \* mode of a process; quiet while its lease has expired by its own clock
  id,        \* the executor of a process
  held,      \* the instances it holds in memory
  saves,     \* results on their way into the database
  releases,  \* releases on their way into the database
  asks,      \* open requests that may make it a holder
  beat,      \* the result of the last heartbeat's read
  suspects,  \* owned rows that were unknown at the previous heartbeat
  late,      \* requests whose sender has timed out, but that will be executed
  faults, losses, actions

vars == <<row, hist, exec, mode, id, held, saves, releases, asks, beat, suspects, late,
          faults, losses, actions>>
database == <<row, hist, exec>>
memory == <<mode, id, held, saves, releases, asks, beat, suspects>>
world == <<late, faults, losses, actions>>

----------------------------------------------------------------------------
\* Shorthands

Ended(i) == row[i].status \in {"finished", "cancelled"}
Due(i) == row[i].status = "inProgress" /\ row[i].owner = Nobody /\ row[i].due
Owns(e) == \E i \in Instances : row[i].owner = e
Dead(e) == exec[e] \in {"expired", "done", "deleted"}
Free == {e \in Ids : exec[e] = "none"}
Least(S) == CHOOSE e \in S : \A other \in S : e <= other

Claimed(i) == [executor |-> row[i].owner, lease |-> row[i].lease, seq |-> row[i].seq,
               state |-> row[i].state, inbox |-> row[i].inbox]
IsClaim(h, executor, lease) == h # None /\ h.executor = executor /\ h.lease = lease
Holds(n, i, executor, lease) == IsClaim(held[n][i], executor, lease)

Write(i, new, entry) ==
  /\ row' = [row EXCEPT ![i] = new]
  /\ hist' = [hist EXCEPT ![i] = Append(@, entry)]

Forget(n, i) == held' = [held EXCEPT ![n][i] = None]
Running(n) == mode[n] \in {"up", "quiet", "draining"}

----------------------------------------------------------------------------

Init ==
  /\ row \in [Instances ->
       [status : {"absent", "inProgress"}, owner : {Nobody}, lease : {0}, seq : {0}, state : {0},
        due : {TRUE}, waits : {FALSE}, wake : {FALSE}, inbox : {{}}]]
  /\ hist = [i \in Instances |-> <<>>]
  /\ id \in {f \in [Nodes -> 1..Cardinality(Nodes)] : \A m, n \in Nodes : f[m] = f[n] => m = n}
  /\ exec = [e \in Ids |-> IF e <= Cardinality(Nodes) THEN "runs" ELSE "none"]
  /\ mode = [n \in Nodes |-> "up"]
  /\ held = [n \in Nodes |-> [i \in Instances |-> None]]
  /\ saves = [n \in Nodes |-> {}]
  /\ releases = [n \in Nodes |-> {}]
  /\ asks = [n \in Nodes |-> {}]
  /\ beat = [n \in Nodes |-> None]
  /\ suspects = [n \in Nodes |-> [i \in Instances |-> None]]
  /\ late = {}
  /\ faults = 0
  /\ losses = 0
  /\ actions = Actions \X Instances
============================================================================
