------------------------------- MODULE State -------------------------------
(*
  What the database holds and what the processes remember, and what is there at first. What happens
  to it is in the modules Lease, Operators and World.
*)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  Nodes,      \* processes
  Instances,  \* workflow instances
  Steps,      \* steps of each instance
  Faults,     \* how often the world ends a lease, kills, deletes, or an operator stops a node
  Losses,     \* how often a message is lost, comes late, or is refused
  Actions,      \* what operators and others do, out of "cancel", "pause", "signal"
  IdleBeats,  \* whether heartbeats that find nothing to do are looked at too
  Rules       \* the rules of the protocol that are kept; a mutant leaves some out

AllRules == {
  "executor", "lease", "seq",  \* what a save must match
  "readBack",                  \* a save that matches nothing looks for its own entry
  "sameEntry",                 \* ... and takes only what it wrote itself for its own
  "fencedStops",               \* a fenced holder forgets the claim
  "latestClaim",               \* the answer of an older claim does not displace a later claim
  "raise",                     \* a claim raises lease_version
  "raiseOnTaking",             \* an action that takes the lease raises it too
  "reconcile",                 \* what is owned and unknown is given back
  "tickets",                   \* ... unless an open request may explain it
  "unownedStops",              \* what is held and not owned is forgotten
  "deadOnly",                  \* recovery looks again whether the executor is dead
  "knownExecutor",             \* nothing stays owned by an executor that has no row
  "drainWaits"                 \* a stop waits for what is held and under way
}

None == [none |-> TRUE]
Nobody == 0
Ids == 1..(Cardinality(Nodes) + Faults)
Failure == Steps + 1            \* the state for failures; the end is the state Steps

VARIABLES
  row,       \* the instances in the database
  hist,      \* their history: entry k is the action with seq k
  exec,      \* the executors in the database
  mode,      \* what a process does: it is quiet while its lease is over by its own clock
  id,        \* the executor that it is
  held,      \* what it holds in memory
  saves,     \* results on their way into the database
  releases,  \* claims on their way back
  asks,      \* open requests that may make it a holder
  beat,      \* what the last heartbeat read
  suspects,  \* owned rows that were unknown at the heartbeat before
  late,      \* requests that nobody waits for any more, but that will be carried out
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
