------------------------------- MODULE Lease -------------------------------
(*
  What the nodes do: leases, fences, reconcile and recovery of the engine's core.

  Every action, here and in module Operators, has the name of the method that it stands for; the
  table contains that method, and LeaseModelNamesTest checks it. An action is one step of a node's
  memory, or one transaction of the database. Between any two of them anything may happen, which
  models slow networks, paused processes and zombies. No action reads a clock: the world may end the
  lease of a live executor at any moment, which is more than the timing rules permit.

  action              method
  ------------------  ------------------------------------------------
  register            io.millrace.store.ExecutorStore#register
  start               io.millrace.store.InstanceStore#start
  handOver            io.millrace.dispatch.InstanceStarter#handOver
  claim               io.millrace.store.InstanceStore#claim
  accept              io.millrace.dispatch.InstanceProcessor#accept
  run                 io.millrace.dispatch.AttemptRunner#run
  save                io.millrace.store.InstanceStore#save
  saved               io.millrace.dispatch.InstanceProcessor#saved
  rejected            io.millrace.dispatch.InstanceProcessor#rejected
  unconsumedMessages  io.millrace.store.InstanceStore#unconsumedMessages
  submitRelease       io.millrace.dispatch.InstanceProcessor#submitRelease
  release             io.millrace.store.InstanceStore#release
  renew               io.millrace.store.ExecutorStore#renew
  ownedInstances      io.millrace.store.ExecutorStore#ownedInstances
  reconcile           io.millrace.dispatch.Reconciler#reconcile
  drop                io.millrace.dispatch.InstanceProcessor#drop
  recover             io.millrace.store.ExecutorStore#recover
  drain               io.millrace.dispatch.ExecutorShutdown#drain
  markStopped         io.millrace.store.ExecutorStore#markStopped
  deleteExecutors     io.millrace.store.RetentionStore#deleteExecutors
*)
EXTENDS State

----------------------------------------------------------------------------
\* Starting, claiming

\* Kinds of open requests of a node, any of which may explain a row that it owns.
Open(n) == {a.kind : a \in asks[n]}
Complete(n, kind) ==
  [suspects EXCEPT ![n] = [i \in Instances |->
    IF @[i] = None THEN None ELSE [@[i] EXCEPT !.waits = @ \ {kind}]]]
End(n, a) ==
  /\ asks' = [asks EXCEPT ![n] = @ \ {a}]
  /\ suspects' = Complete(n, a.kind)

register(n) ==
  /\ mode[n] = "down" /\ Free # {}
  /\ LET e == Least(Free) IN
     /\ exec' = [exec EXCEPT ![e] = "runs"]
     /\ id' = [id EXCEPT ![n] = e]
  /\ mode' = [mode EXCEPT ![n] = "up"]
  /\ UNCHANGED <<row, hist, held, saves, releases, asks, beat, suspects, world>>

Ask(kind, i) == [kind |-> kind, instance |-> i, got |-> Claimed(i)']

\* Inserts a new instance, already held by the node.
start(n, i) ==
  /\ mode[n] = "up" /\ row[i].status = "absent" /\ "start" \notin Open(n)
  /\ row' = [row EXCEPT ![i] = [@ EXCEPT !.status = "inProgress", !.owner = id[n], !.lease = 1]]
  /\ asks' = [asks EXCEPT ![n] = @ \cup {Ask("start", i)}]
  /\ UNCHANGED <<hist, exec, mode, id, held, saves, releases, beat, suspects, world>>

Hold(c) == [executor |-> c.executor, lease |-> c.lease, seq |-> c.seq, state |-> c.state,
            inbox |-> c.inbox, phase |-> "queued"]

\* True if a later claim's answer has overtaken this one.
Overtaken(n, a) ==
  /\ "latestClaim" \in Rules
  /\ held[n][a.instance] # None /\ held[n][a.instance].lease >= a.got.lease

Take(n, a) ==
  /\ End(n, a)
  /\ IF Overtaken(n, a)
     THEN UNCHANGED <<held, releases>>
     ELSE IF mode[n] = "draining"
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

\* Claims an instance. A node that was paused may not know that its lease has expired.
claim(n, i) ==
  /\ mode[n] = "up" /\ "claim" \notin Open(n)
  /\ IF exec[id[n]] = "runs" THEN UNCHANGED faults
     ELSE faults < Faults /\ faults' = faults + 1
  /\ Claim(id[n], i)
  /\ asks' = [asks EXCEPT ![n] = @ \cup {Ask("claim", i)}]
  /\ UNCHANGED <<mode, id, held, saves, releases, beat, suspects, late, losses, actions>>

accept(n) ==
  /\ \E a \in asks[n] : a.kind = "claim" /\ Take(n, a)
  /\ UNCHANGED <<database, mode, id, saves, beat, world>>

----------------------------------------------------------------------------
\* Running, saving

Matches(s) ==
  LET r == row[s.instance] IN
  /\ "executor" \in Rules => r.owner = s.executor
  /\ "lease" \in Rules => r.lease = s.lease
  /\ "seq" \in Rules => r.seq = s.seq

\* The history entry that save s writes.
EntryOf(s) == [type |-> s.type, by |-> s.executor, lease |-> s.lease, from |-> s.from, to |-> s.to]
Written(s) == Len(hist[s.instance]) > s.seq /\ hist[s.instance][s.seq + 1] = EntryOf(s)

Save(i, h, type, to, keep, waits) ==
  [instance |-> i, executor |-> h.executor, lease |-> h.lease, seq |-> h.seq, type |-> type,
   from |-> h.state, to |-> to, keep |-> keep, waits |-> waits,
   uses |-> h.inbox \cap (IF type = "attempt" /\ h.state > 0 THEN {"pause", "signal"} ELSE {"pause"}),
   answer |-> "none"]

Submit(n, i, s) ==
  /\ saves' = [saves EXCEPT ![n] = @ \cup {s}]
  /\ held' = [held EXCEPT ![n][i].phase = "saving"]

\* Runs an attempt. A requested pause takes precedence over the handler. The first handler may also wait
\* for a signal, and the last state ends the instance.
run(n, i) ==
  LET h == held[n][i]
      to == IF h.state = Failure THEN Steps ELSE h.state + 1 IN
  /\ mode[n] \in {"up", "draining"} /\ h # None /\ h.phase = "queued"
  /\ IF "pause" \in h.inbox
     THEN Submit(n, i, Save(i, h, "pause", h.state, FALSE, FALSE))
     ELSE \/ Submit(n, i, Save(i, h, "attempt", to, to # Steps, FALSE))
          \/ /\ h.state = 0 /\ to # Steps /\ "signal" \in Actions /\ "signal" \notin h.inbox
             /\ Submit(n, i, Save(i, h, "attempt", to, FALSE, TRUE))
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

\* True if the entry that is read back is the save's own, by its fence or by everything written.
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

\* The holder continues, drops the claim, or learns that another executor has claimed the instance.
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

\* The database rejects the data. The node then writes a failure in place of the result; if that is
\* rejected too, it leaves the claim to the heartbeat.
rejected(n) ==
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
  /\ UNCHANGED <<database, mode, id, releases, asks, beat, suspects, late, faults, actions>>

\* Reads the messages that have arrived since the claim.
unconsumedMessages(n, i) ==
  /\ held[n][i] # None /\ held[n][i].phase = "refreshing"
  /\ held' = [held EXCEPT ![n][i].inbox = row[i].inbox, ![n][i].phase = "queued"]
  /\ UNCHANGED <<database, mode, id, saves, releases, asks, beat, suspects, world>>

----------------------------------------------------------------------------
\* Release, heartbeat

\* A stopping node releases instances that have not started, and finally those that ignore the stop.
submitRelease(n, i) ==
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

ownedInstances(n) ==
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
IsComplete(n, i) == suspects[n][i].waits = {}

reconcile(n) ==
  /\ Running(n) /\ beat[n] # None
  /\ held' = [held EXCEPT ![n] = [i \in Instances |-> IF Lost(n, i) THEN None ELSE @[i]]]
  /\ suspects' = [suspects EXCEPT ![n] = [i \in Instances |->
       IF ~Unknown(n, i) THEN None
       ELSE IF ~Suspected(n, i)
       THEN [lease |-> beat[n].owns[i], waits |-> IF "tickets" \in Rules THEN Open(n) ELSE {}]
       ELSE IF IsComplete(n, i) THEN None ELSE @[i]]]
  /\ releases' = [releases EXCEPT ![n] = @ \cup {
       [instance |-> i, executor |-> beat[n].executor, lease |-> beat[n].owns[i]] :
         i \in {j \in Instances : Unknown(n, j) /\ Suspected(n, j) /\ IsComplete(n, j)}}]
  /\ beat' = [beat EXCEPT ![n] = None]
  /\ UNCHANGED <<database, mode, id, saves, asks, world>>

\* Stops the handlers of a node whose lease has expired by its own clock; keeps results on their way.
drop(n) ==
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

\* Checks again, in the transaction, that the executor is dead.
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

\* Deletes the row of an executor that has been recovered or has stopped.
deleteExecutors(n) ==
  /\ faults < Faults
  /\ Running(n) /\ exec[id[n]] = "done" /\ ~Owns(id[n])
  /\ exec' = [exec EXCEPT ![id[n]] = "deleted"]
  /\ faults' = faults + 1
  /\ UNCHANGED <<row, hist, memory, late, losses, actions>>

----------------------------------------------------------------------------
\* Stop

drain(n) ==
  /\ mode[n] \in {"up", "quiet"} /\ faults < Faults
  /\ mode' = [mode EXCEPT ![n] = "draining"]
  /\ faults' = faults + 1
  /\ UNCHANGED <<database, id, held, saves, releases, asks, beat, suspects, late, losses,
                 actions>>

Idle(n) == held[n] = [i \in Instances |-> None] /\ saves[n] = {} /\ releases[n] = {} /\ asks[n] = {}

Empty(n) ==
  /\ held' = [held EXCEPT ![n] = [i \in Instances |-> None]]
  /\ saves' = [saves EXCEPT ![n] = {}]
  /\ releases' = [releases EXCEPT ![n] = {}]
  /\ asks' = [asks EXCEPT ![n] = {}]
  /\ beat' = [beat EXCEPT ![n] = None]
  /\ suspects' = [suspects EXCEPT ![n] = [i \in Instances |-> None]]

markStopped(n) ==
  /\ mode[n] = "draining"
  /\ "drainWaits" \in Rules => Idle(n)
  /\ exec' = [exec EXCEPT ![id[n]] = IF @ = "deleted" THEN @ ELSE "done"]
  /\ mode' = [mode EXCEPT ![n] = "down"]
  /\ Empty(n)
  /\ UNCHANGED <<row, hist, id, world>>
============================================================================
