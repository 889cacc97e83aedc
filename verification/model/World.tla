------------------------------- MODULE World -------------------------------
(*
  The faults. No methods stand for these actions.

  action            what happens
  ----------------  ------------------------------------------------
  lapse             the world: the lease of an executor ends
  crash             the world: a process ends at once
  lose              the world: a request of a node, or its reply, is lost
  linger            the world: a request whose node has timed out is executed later
*)
EXTENDS Lease

----------------------------------------------------------------------------

lapse(e) ==
  /\ exec[e] = "runs"
  /\ IF \E n \in Nodes : Running(n) /\ id[n] = e
     THEN faults < Faults /\ faults' = faults + 1
     ELSE UNCHANGED faults
  /\ exec' = [exec EXCEPT ![e] = "expired"]
  /\ UNCHANGED <<row, hist, memory, late, losses, actions>>

crash(n) ==
  /\ faults < Faults /\ Running(n)
  /\ faults' = faults + 1
  /\ mode' = [mode EXCEPT ![n] = "down"]
  /\ Empty(n)
  /\ UNCHANGED <<database, id, late, losses, actions>>

\* Loses the reply of a claim, a start or a save, or the request of a release. The other losses need
\* no step, because they change nothing.
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
  /\ UNCHANGED <<database, mode, id, held, beat, late, faults, actions>>

\* Delays a request, whose node times out, until it is executed some time later.
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
  /\ UNCHANGED <<database, mode, id, held, saves, asks, beat, suspects, faults, actions>>

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
  /\ UNCHANGED <<memory, faults, losses, actions>>

linger == Arrive \/ \E n \in Nodes : Delay(n)
============================================================================
