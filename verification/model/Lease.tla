------------------------------- MODULE Lease -------------------------------
(*
  Leases, fences, reconcile and recovery of the engine's core.

  Every action but those of the world has the name of the method that it stands for; the table
  below says where that method is, and LeaseModelTest compares. An action is one step of a node's
  memory, or one transaction of the database. Between any two of them anything may happen: that is
  how slow networks, paused processes and zombies come in. No action looks at a clock: the world may
  end the lease of a living executor at any moment, which is more than the timing rules permit.

  action            method
  ----------------  ------------------------------------------------
  register          io.millrace.store.ExecutorStore#register
  start             io.millrace.store.WorkStore#start
  handOver          io.millrace.dispatch.Starter#handOver
  claim             io.millrace.store.WorkStore#claim
  accept            io.millrace.dispatch.Worker#accept
  run               io.millrace.dispatch.StepRunner#run
  save              io.millrace.store.WorkStore#save
  saved             io.millrace.dispatch.Worker#saved
  refused           io.millrace.dispatch.Worker#refused
  inbox             io.millrace.store.WorkStore#inbox
  giveBack          io.millrace.dispatch.Worker#giveBack
  release           io.millrace.store.WorkStore#release
  renew             io.millrace.store.ExecutorStore#renew
  owned             io.millrace.store.ExecutorStore#owned
  reconcile         io.millrace.dispatch.Reconciler#reconcile
  giveUp            io.millrace.dispatch.Worker#giveUp
  recover           io.millrace.store.ExecutorStore#recover
  drain             io.millrace.dispatch.Dispatch#drain
  stop              io.millrace.store.ExecutorStore#stop
  cancel            io.millrace.WorkflowClient#cancel
  takenAway         io.millrace.dispatch.Dispatch#takenAway
  pause             io.millrace.WorkflowClient#pause
  resume            io.millrace.WorkflowClient#resume
  signal            io.millrace.WorkflowClient#signal
  deleteExecutors   io.millrace.store.RetentionStore#deleteExecutors
  lapse             the world: the lease of an executor ends
  crash             the world: a process ends at once
  lose              the world: a request of a node, or its reply, is lost
  linger            the world: a request that its node has given up is carried out later
*)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  Nodes,      \* processes
  Instances,  \* workflow instances
  Steps,      \* steps of each instance
  Faults,     \* how often the world ends a lease, kills, deletes, or an operator stops a node
  Losses,     \* how often a message is lost, comes late, or is refused
  Deeds,      \* what operators and others do, out of "cancel", "pause", "signal"
  IdleBeats,  \* whether heartbeats that find nothing to do are looked at too
  Rules       \* the rules of the protocol that are kept; a mutant leaves some out

AllRules == {
  "executor", "lease", "seq",  \* what a save must match
  "readBack",                  \* a save that matches nothing looks for its own entry
  "sameEntry",                 \* ... and takes only what it wrote itself for its own
  "fencedStops",               \* a fenced holder forgets the claim
  "raise",                     \* a claim raises lease_version
  "raiseOnTaking",             \* a deed that takes the lease raises it too
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
Kinds == {"claim", "start"}

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
  faults, losses, deeds

vars == <<row, hist, exec, mode, id, held, saves, releases, asks, beat, suspects, late,
          faults, losses, deeds>>
database == <<row, hist, exec>>
memory == <<mode, id, held, saves, releases, asks, beat, suspects>>
world == <<late, faults, losses, deeds>>

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
Hold(c) == [executor |-> c.executor, lease |-> c.lease, seq |-> c.seq, state |-> c.state,
            inbox |-> c.inbox, phase |-> "queued"]
IsClaim(h, executor, lease) == h # None /\ h.executor = executor /\ h.lease = lease
Holds(n, i, executor, lease) == IsClaim(held[n][i], executor, lease)

Matches(s) ==
  LET r == row[s.instance] IN
  /\ "executor" \in Rules => r.owner = s.executor
  /\ "lease" \in Rules => r.lease = s.lease
  /\ "seq" \in Rules => r.seq = s.seq

\* The entry in the history that s wrote, if it did.
EntryOf(s) == [type |-> s.type, by |-> s.executor, lease |-> s.lease, from |-> s.from, to |-> s.to]
Written(s) == Len(hist[s.instance]) > s.seq /\ hist[s.instance][s.seq + 1] = EntryOf(s)

Write(i, new, entry) ==
  /\ row' = [row EXCEPT ![i] = new]
  /\ hist' = [hist EXCEPT ![i] = Append(@, entry)]

Deed(i, type, to, lease) ==
  [type |-> type, by |-> Nobody, lease |-> lease, from |-> row[i].state, to |-> to]

\* The requests of a node that a row's owner may be waiting for.
Open(n) == {a.kind : a \in asks[n]}
Settle(n, kind) ==
  [suspects EXCEPT ![n] = [i \in Instances |->
    IF @[i] = None THEN None ELSE [@[i] EXCEPT !.waits = @ \ {kind}]]]
End(n, a) ==
  /\ asks' = [asks EXCEPT ![n] = @ \ {a}]
  /\ suspects' = Settle(n, a.kind)

Forget(n, i) == held' = [held EXCEPT ![n][i] = None]
Running(n) == mode[n] \in {"up", "quiet", "draining"}

----------------------------------------------------------------------------
\* Starting, claiming

register(n) ==
  /\ mode[n] = "down" /\ Free # {}
  /\ LET e == Least(Free) IN
     /\ exec' = [exec EXCEPT ![e] = "runs"]
     /\ id' = [id EXCEPT ![n] = e]
  /\ mode' = [mode EXCEPT ![n] = "up"]
  /\ UNCHANGED <<row, hist, held, saves, releases, asks, beat, suspects, world>>

Ask(kind, i) == [kind |-> kind, instance |-> i, got |-> Claimed(i)']

\* A new instance is inserted as already held.
start(n, i) ==
  /\ mode[n] = "up" /\ row[i].status = "absent" /\ "start" \notin Open(n)
  /\ row' = [row EXCEPT ![i] = [@ EXCEPT !.status = "inProgress", !.owner = id[n], !.lease = 1]]
  /\ asks' = [asks EXCEPT ![n] = @ \cup {Ask("start", i)}]
  /\ UNCHANGED <<hist, exec, mode, id, held, saves, releases, beat, suspects, world>>

Take(n, a) ==
  /\ End(n, a)
  /\ IF mode[n] = "draining"
     THEN /\ releases' = [releases EXCEPT ![n] = @ \cup {
               [instance |-> a.instance, executor |-> a.got.executor, lease |-> a.got.lease]}]
          /\ Forget(n, a.instance)
     ELSE /\ held' = [held EXCEPT ![n][a.instance] = Hold(a.got)]
          /\ UNCHANGED releases

handOver(n) ==
  /\ \E a \in asks[n] : a.kind = "start" /\ Take(n, a)
  /\ UNCHANGED <<database, mode, id, saves, beat, world>>

Claim(executor, i) ==
  /\ Due(i)
  /\ row' = [row EXCEPT ![i] =
       [@ EXCEPT !.owner = executor, !.wake = FALSE,
                 !.lease = IF "raise" \in Rules THEN @ + 1 ELSE @]]
  /\ UNCHANGED <<hist, exec>>

\* A node that was paused may not know that its lease is over, and claim.
claim(n, i) ==
  /\ mode[n] = "up" /\ "claim" \notin Open(n)
  /\ IF exec[id[n]] = "runs" THEN UNCHANGED faults
     ELSE faults < Faults /\ faults' = faults + 1
  /\ Claim(id[n], i)
  /\ asks' = [asks EXCEPT ![n] = @ \cup {Ask("claim", i)}]
  /\ UNCHANGED <<mode, id, held, saves, releases, beat, suspects, late, losses, deeds>>

accept(n) ==
  /\ \E a \in asks[n] : a.kind = "claim" /\ Take(n, a)
  /\ UNCHANGED <<database, mode, id, saves, beat, world>>

----------------------------------------------------------------------------
\* Running, saving

Save(i, h, type, to, keep, waits) ==
  [instance |-> i, executor |-> h.executor, lease |-> h.lease, seq |-> h.seq, type |-> type,
   from |-> h.state, to |-> to, keep |-> keep, waits |-> waits,
   uses |-> h.inbox \cap (IF type = "step" /\ h.state > 0 THEN {"pause", "signal"} ELSE {"pause"}),
   answer |-> "none"]

Submit(n, i, s) ==
  /\ saves' = [saves EXCEPT ![n] = @ \cup {s}]
  /\ held' = [held EXCEPT ![n][i].phase = "saving"]

\* A pause that was asked for comes before the handler, the first of which may also wait for a
\* signal. The last step ends.
run(n, i) ==
  LET h == held[n][i]
      to == IF h.state = Failure THEN Steps ELSE h.state + 1 IN
  /\ mode[n] \in {"up", "draining"} /\ h # None /\ h.phase = "queued"
  /\ IF "pause" \in h.inbox
     THEN Submit(n, i, Save(i, h, "pause", h.state, FALSE, FALSE))
     ELSE \/ Submit(n, i, Save(i, h, "step", to, to # Steps, FALSE))
          \/ /\ h.state = 0 /\ to # Steps /\ "signal" \in Deeds /\ "signal" \notin h.inbox
             /\ Submit(n, i, Save(i, h, "step", to, FALSE, TRUE))
  /\ UNCHANGED <<database, mode, id, releases, asks, beat, suspects, world>>

Store(s) ==
  LET r == row[s.instance]
      inbox == r.inbox \ s.uses IN
  Write(s.instance,
    [r EXCEPT !.seq = @ + 1, !.state = s.to, !.inbox = inbox,
       !.owner = IF s.keep THEN @ ELSE Nobody,
       !.status = IF s.to = Steps THEN "finished"
                  ELSE IF s.type = "pause" THEN "paused" ELSE "inProgress",
       !.waits = s.waits,
       !.due = IF s.keep THEN @ ELSE r.wake \/ ~s.waits \/ "signal" \in inbox,
       !.wake = s.keep /\ @],
    EntryOf(s))

\* Read back by the values of the fence, or by all that was written.
IsOwn(s) ==
  /\ "readBack" \in Rules
  /\ Len(hist[s.instance]) > s.seq
  /\ LET entry == hist[s.instance][s.seq + 1] IN
     /\ entry.by = s.executor /\ entry.lease = s.lease /\ entry.type # "recovery"
     /\ "sameEntry" \in Rules => entry = EntryOf(s)

IsHeld(s) ==
  LET r == row[s.instance] IN r.owner = s.executor /\ r.lease = s.lease /\ r.seq = s.seq + 1

Answer(s) ==
  IF Matches(s) THEN (IF s.keep THEN "held" ELSE "left")
  ELSE IF IsOwn(s) THEN (IF IsHeld(s) THEN "held" ELSE "left")
  ELSE "fenced"

save(n) ==
  /\ \E s \in saves[n] :
       /\ s.answer = "none"
       /\ saves' = [saves EXCEPT ![n] = (@ \ {s}) \cup {[s EXCEPT !.answer = Answer(s)]}]
       /\ IF Matches(s) THEN Store(s) ELSE UNCHANGED <<row, hist>>
  /\ UNCHANGED <<exec, mode, id, held, releases, asks, beat, suspects, world>>

\* The holder goes on, forgets the claim, or learns that it has passed on.
saved(n) ==
  \E s \in saves[n] :
    LET i == s.instance
        mine == Holds(n, i, s.executor, s.lease)
        h == held[n][i]
        inbox == h.inbox \ s.uses
        claimed == [instance |-> i, executor |-> s.executor, lease |-> s.lease] IN
    /\ s.answer # "none"
    /\ saves' = [saves EXCEPT ![n] = @ \ {s}]
    /\ IF ~mine \/ (s.answer = "fenced" /\ "fencedStops" \notin Rules)
       THEN UNCHANGED <<held, releases>>
       ELSE IF s.answer # "held" \/ ~s.keep
       THEN Forget(n, i) /\ UNCHANGED releases
       ELSE IF mode[n] # "up"
       THEN Forget(n, i) /\ releases' = [releases EXCEPT ![n] = @ \cup {claimed}]
       ELSE /\ held' = [held EXCEPT ![n][i] =
                 [@ EXCEPT !.seq = @ + 1, !.state = s.to, !.inbox = inbox,
                    !.phase = IF Cardinality(row[i].inbox) > Cardinality(inbox)
                              THEN "refreshing" ELSE "queued"]]
            /\ UNCHANGED releases
    /\ UNCHANGED <<database, mode, id, asks, beat, suspects, world>>

\* The database objects to the data. The first time a failure is written in place of the result; if
\* that is refused too, the claim is left to the heartbeat.
refused(n) ==
  /\ losses < Losses
  /\ \E s \in saves[n] :
       LET i == s.instance
           failure == [s EXCEPT !.type = "failure", !.to = Failure, !.keep = TRUE, !.waits = FALSE,
                                !.uses = @ \ {"signal"}] IN
       /\ s.answer = "none" /\ Matches(s)
       /\ IF s.type = "failure" \/ ~Holds(n, i, s.executor, s.lease)
          THEN /\ saves' = [saves EXCEPT ![n] = @ \ {s}]
               /\ IF Holds(n, i, s.executor, s.lease) THEN Forget(n, i) ELSE UNCHANGED held
          ELSE /\ saves' = [saves EXCEPT ![n] = (@ \ {s}) \cup {failure}]
               /\ UNCHANGED held
  /\ losses' = losses + 1
  /\ UNCHANGED <<database, mode, id, releases, asks, beat, suspects, late, faults, deeds>>

\* The messages that came since the claim.
inbox(n, i) ==
  /\ held[n][i] # None /\ held[n][i].phase = "refreshing"
  /\ held' = [held EXCEPT ![n][i].inbox = row[i].inbox, ![n][i].phase = "queued"]
  /\ UNCHANGED <<database, mode, id, saves, releases, asks, beat, suspects, world>>

----------------------------------------------------------------------------
\* Giving back, heartbeat

\* A stopping node gives back what has not begun, and in the end also what does not heed it.
giveBack(n, i) ==
  LET h == held[n][i] IN
  /\ mode[n] = "draining" /\ h # None
  /\ releases' = [releases EXCEPT ![n] =
       @ \cup {[instance |-> i, executor |-> h.executor, lease |-> h.lease]}]
  /\ Forget(n, i)
  /\ UNCHANGED <<database, mode, id, saves, asks, beat, suspects, world>>

Release(r) ==
  LET is == row[r.instance] IN
  IF is.owner = r.executor /\ is.lease = r.lease
  THEN row' = [row EXCEPT ![r.instance] =
         [@ EXCEPT !.owner = Nobody, !.wake = FALSE,
                   !.due = @ \/ is.wake]]
  ELSE UNCHANGED row

release(n) ==
  /\ \E r \in releases[n] :
       /\ Release(r)
       /\ releases' = [releases EXCEPT ![n] = @ \ {r}]
  /\ UNCHANGED <<hist, exec, mode, id, held, saves, asks, beat, suspects, world>>

renew(n) ==
  /\ Running(n) /\ (exec[id[n]] # "runs" \/ mode[n] = "quiet")
  /\ IF exec[id[n]] = "deleted"
     THEN /\ Free # {}
          /\ exec' = [exec EXCEPT ![Least(Free)] = "runs"]
          /\ id' = [id EXCEPT ![n] = Least(Free)]
     ELSE exec' = [exec EXCEPT ![id[n]] = "runs"] /\ UNCHANGED id
  /\ mode' = [mode EXCEPT ![n] = IF @ = "quiet" THEN "up" ELSE @]
  /\ UNCHANGED <<row, hist, held, saves, releases, asks, beat, suspects, world>>

OwnedBy(e) == [i \in Instances |-> IF row[i].owner = e THEN row[i].lease ELSE 0]

Differs(n, i) ==
  LET h == held[n][i] IN
  \/ suspects[n][i] # None
  \/ IF h = None THEN row[i].owner = id[n] ELSE ~IsClaim(h, row[i].owner, row[i].lease)

owned(n) ==
  /\ Running(n) /\ exec[id[n]] = "runs" /\ beat[n] = None
  /\ IdleBeats \/ \E i \in Instances : Differs(n, i)
  /\ beat' = [beat EXCEPT ![n] = [executor |-> id[n], owns |-> OwnedBy(id[n]), before |-> held[n]]]
  /\ UNCHANGED <<database, mode, id, held, saves, releases, asks, suspects, world>>

Lost(n, i) ==
  LET h == held[n][i]
      b == beat[n].before[i] IN
  /\ "unownedStops" \in Rules
  /\ h # None /\ b # None /\ IsClaim(b, h.executor, h.lease)
  /\ beat[n].owns[i] # h.lease
  /\ h.phase = "queued"

Unknown(n, i) ==
  /\ "reconcile" \in Rules
  /\ beat[n].owns[i] # 0
  /\ IF held[n][i] = None THEN TRUE ELSE held[n][i].lease < beat[n].owns[i]

Suspected(n, i) == suspects[n][i] # None /\ suspects[n][i].lease = beat[n].owns[i]
Settled(n, i) == suspects[n][i].waits = {}

reconcile(n) ==
  /\ Running(n) /\ beat[n] # None
  /\ held' = [held EXCEPT ![n] = [i \in Instances |-> IF Lost(n, i) THEN None ELSE @[i]]]
  /\ suspects' = [suspects EXCEPT ![n] = [i \in Instances |->
       IF ~Unknown(n, i) THEN None
       ELSE IF ~Suspected(n, i)
       THEN [lease |-> beat[n].owns[i], waits |-> IF "tickets" \in Rules THEN Open(n) ELSE {}]
       ELSE IF Settled(n, i) THEN None ELSE @[i]]]
  /\ releases' = [releases EXCEPT ![n] = @ \cup {
       [instance |-> i, executor |-> beat[n].executor, lease |-> beat[n].owns[i]] :
         i \in {j \in Instances : Unknown(n, j) /\ Suspected(n, j) /\ Settled(n, j)}}]
  /\ beat' = [beat EXCEPT ![n] = None]
  /\ UNCHANGED <<database, mode, id, saves, asks, world>>

\* A node whose lease is over by its own clock stops its handlers; results on their way are kept.
giveUp(n) ==
  /\ mode[n] = "up" /\ exec[id[n]] # "runs"
  /\ mode' = [mode EXCEPT ![n] = "quiet"]
  /\ held' = [held EXCEPT ![n] = [i \in Instances |->
       IF @[i] = None THEN None ELSE IF @[i].phase = "queued" THEN None ELSE @[i]]]
  /\ UNCHANGED <<database, id, saves, releases, asks, beat, suspects, world>>

----------------------------------------------------------------------------
\* Recovery

Expired == {e \in Ids :
  \/ exec[e] = "expired"
  \/ exec[e] = "done" /\ Owns(e)
  \/ exec[e] = "deleted" /\ Owns(e) /\ "knownExecutor" \in Rules}

\* Looks again, in the transaction, whether the executor is still dead.
recover(n) ==
  /\ Running(n)
  /\ \E e \in Ids \ {id[n]} :
       /\ IF "deadOnly" \in Rules THEN e \in Expired ELSE Owns(e)
       /\ row' = [i \in Instances |->
            IF row[i].owner # e THEN row[i]
            ELSE [row[i] EXCEPT !.owner = Nobody, !.seq = @ + 1, !.due = TRUE, !.wake = FALSE]]
       /\ hist' = [i \in Instances |->
            IF row[i].owner # e THEN hist[i]
            ELSE Append(hist[i], [type |-> "recovery", by |-> id[n], lease |-> row[i].lease,
                                  from |-> row[i].state, to |-> row[i].state])]
       /\ exec' = [exec EXCEPT ![e] = IF @ = "expired" THEN "done" ELSE @]
  /\ UNCHANGED <<mode, id, held, saves, releases, asks, beat, suspects, world>>

\* The row of an executor that is recovered, or has stopped, is not kept for ever.
deleteExecutors(n) ==
  /\ faults < Faults
  /\ Running(n) /\ exec[id[n]] = "done" /\ ~Owns(id[n])
  /\ exec' = [exec EXCEPT ![id[n]] = "deleted"]
  /\ faults' = faults + 1
  /\ UNCHANGED <<row, hist, memory, late, losses, deeds>>

----------------------------------------------------------------------------
\* Stop

drain(n) ==
  /\ mode[n] \in {"up", "quiet"} /\ faults < Faults
  /\ mode' = [mode EXCEPT ![n] = "draining"]
  /\ faults' = faults + 1
  /\ UNCHANGED <<database, id, held, saves, releases, asks, beat, suspects, late, losses,
                 deeds>>

Idle(n) == held[n] = [i \in Instances |-> None] /\ saves[n] = {} /\ releases[n] = {} /\ asks[n] = {}

Empty(n) ==
  /\ held' = [held EXCEPT ![n] = [i \in Instances |-> None]]
  /\ saves' = [saves EXCEPT ![n] = {}]
  /\ releases' = [releases EXCEPT ![n] = {}]
  /\ asks' = [asks EXCEPT ![n] = {}]
  /\ beat' = [beat EXCEPT ![n] = None]
  /\ suspects' = [suspects EXCEPT ![n] = [i \in Instances |-> None]]

stop(n) ==
  /\ mode[n] = "draining"
  /\ "drainWaits" \in Rules => Idle(n)
  /\ exec' = [exec EXCEPT ![id[n]] = IF @ = "deleted" THEN @ ELSE "done"]
  /\ mode' = [mode EXCEPT ![n] = "down"]
  /\ Empty(n)
  /\ UNCHANGED <<row, hist, id, world>>

----------------------------------------------------------------------------
\* Operators and other programs

Once(deed, i) ==
  /\ <<deed, i>> \in deeds
  /\ deeds' = deeds \ {<<deed, i>>}

cancel(i) ==
  LET taken == row[i].owner # Nobody /\ "raiseOnTaking" \in Rules IN
  /\ Once("cancel", i) /\ row[i].status \in {"inProgress", "paused"}
  /\ LET lease == row[i].lease + IF taken THEN 1 ELSE 0 IN
     Write(i, [row[i] EXCEPT !.status = "cancelled", !.owner = Nobody, !.lease = lease,
                             !.seq = @ + 1, !.due = FALSE, !.wake = FALSE],
           Deed(i, "cancel", row[i].state, lease))
  /\ UNCHANGED <<exec, memory, late, faults, losses>>

\* The node that the deed went through stops its own handler.
takenAway(n, i) ==
  /\ Running(n) /\ held[n][i] # None /\ row[i].status = "cancelled"
  /\ Forget(n, i)
  /\ UNCHANGED <<database, mode, id, saves, releases, asks, beat, suspects, world>>

\* While the instance is executing, the pause waits in the inbox.
pause(i) ==
  /\ Once("pause", i) /\ row[i].status = "inProgress"
  /\ IF row[i].owner # Nobody
     THEN /\ row' = [row EXCEPT ![i] = [@ EXCEPT !.inbox = @ \cup {"pause"}, !.wake = TRUE]]
          /\ UNCHANGED hist
     ELSE Write(i, [row[i] EXCEPT !.status = "paused", !.seq = @ + 1],
                Deed(i, "pause", row[i].state, row[i].lease))
  /\ UNCHANGED <<exec, memory, late, faults, losses>>

resume(i) ==
  /\ row[i].status = "paused"
  /\ Write(i, [row[i] EXCEPT !.status = "inProgress", !.seq = @ + 1],
           Deed(i, "resume", row[i].state, row[i].lease))
  /\ UNCHANGED <<exec, memory, world>>

signal(i) ==
  /\ Once("signal", i) /\ ~Ended(i) /\ row[i].status # "absent"
  /\ row' = [row EXCEPT ![i] =
       [@ EXCEPT !.inbox = @ \cup {"signal"},
                 !.due = @ \/ (row[i].owner = Nobody /\ row[i].waits)]]
  /\ UNCHANGED <<hist, exec, memory, late, faults, losses>>

----------------------------------------------------------------------------
\* The world

lapse(e) ==
  /\ exec[e] = "runs"
  /\ IF \E n \in Nodes : Running(n) /\ id[n] = e
     THEN faults < Faults /\ faults' = faults + 1
     ELSE UNCHANGED faults
  /\ exec' = [exec EXCEPT ![e] = "expired"]
  /\ UNCHANGED <<row, hist, memory, late, losses, deeds>>

crash(n) ==
  /\ faults < Faults /\ Running(n)
  /\ faults' = faults + 1
  /\ mode' = [mode EXCEPT ![n] = "down"]
  /\ Empty(n)
  /\ UNCHANGED <<database, id, late, losses, deeds>>

\* The reply of a claim, a start or a save, or the request of a release. The other losses are no
\* steps at all: nothing has happened.
lose(n) ==
  /\ losses < Losses
  /\ losses' = losses + 1
  /\ \/ /\ \E a \in asks[n] : End(n, a)
        /\ UNCHANGED <<saves, releases>>
     \/ /\ \E s \in saves[n] :
             /\ s.answer # "none"
             /\ saves' = [saves EXCEPT ![n] = (@ \ {s}) \cup {[s EXCEPT !.answer = "none"]}]
        /\ UNCHANGED <<asks, suspects, releases>>
     \/ /\ \E r \in releases[n] : releases' = [releases EXCEPT ![n] = @ \ {r}]
        /\ UNCHANGED <<asks, suspects, saves>>
  /\ UNCHANGED <<database, mode, id, held, beat, late, faults, deeds>>

\* Sent by a node that then gives it up, and carried out some time later.
Delay(n) ==
  /\ losses < Losses
  /\ losses' = losses + 1
  /\ \/ /\ mode[n] = "up"
        /\ late' = late \cup {[kind |-> "claim", executor |-> id[n]]}
        /\ UNCHANGED releases
     \/ /\ \E s \in saves[n] : s.answer = "none" /\ late' = late \cup {s}
        /\ UNCHANGED releases
     \/ \E r \in releases[n] :
          late' = late \cup {r} /\ releases' = [releases EXCEPT ![n] = @ \ {r}]
  /\ UNCHANGED <<database, mode, id, held, saves, asks, beat, suspects, faults, deeds>>

Arrive ==
  /\ \E m \in late :
       /\ late' = late \ {m}
       /\ CASE "kind" \in DOMAIN m ->
                 IF \E i \in Instances : Due(i)
                 THEN \E i \in Instances : Claim(m.executor, i)
                 ELSE UNCHANGED database
            [] "answer" \in DOMAIN m ->
                 (IF Matches(m) THEN Store(m) ELSE UNCHANGED <<row, hist>>) /\ UNCHANGED exec
            [] OTHER -> Release(m) /\ UNCHANGED <<hist, exec>>
  /\ UNCHANGED <<memory, faults, losses, deeds>>

linger == Arrive \/ \E n \in Nodes : Delay(n)

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
  /\ deeds = Deeds \X Instances

Next ==
  \/ \E n \in Nodes :
       \/ register(n) \/ handOver(n) \/ accept(n) \/ save(n) \/ saved(n) \/ refused(n)
       \/ release(n) \/ renew(n) \/ owned(n) \/ reconcile(n) \/ giveUp(n) \/ recover(n)
       \/ deleteExecutors(n) \/ drain(n) \/ stop(n) \/ crash(n) \/ lose(n)
       \/ \E i \in Instances :
            \/ start(n, i) \/ claim(n, i) \/ run(n, i) \/ inbox(n, i) \/ giveBack(n, i)
            \/ takenAway(n, i)
  \/ \E i \in Instances : cancel(i) \/ pause(i) \/ resume(i) \/ signal(i)
  \/ \E e \in Ids : lapse(e)
  \/ linger

\* What can go on does so in the end; faults and deeds need not happen, but the signal comes.
Fairness ==
  /\ \A n \in Nodes :
       /\ WF_vars(register(n)) /\ WF_vars(handOver(n)) /\ WF_vars(accept(n)) /\ WF_vars(save(n))
       /\ WF_vars(saved(n)) /\ WF_vars(release(n)) /\ WF_vars(renew(n)) /\ WF_vars(owned(n))
       /\ WF_vars(reconcile(n)) /\ WF_vars(recover(n)) /\ WF_vars(stop(n))
       /\ \A i \in Instances :
            /\ WF_vars(start(n, i)) /\ WF_vars(claim(n, i)) /\ WF_vars(run(n, i))
            /\ WF_vars(inbox(n, i)) /\ WF_vars(giveBack(n, i))
  /\ \A i \in Instances : WF_vars(resume(i)) /\ WF_vars(signal(i))
  /\ \A e \in Ids : WF_vars(lapse(e) /\ UNCHANGED faults)
  /\ WF_vars(Arrive)

Safety == Init /\ [][Next]_vars
Spec == Safety /\ Fairness
=============================================================================
