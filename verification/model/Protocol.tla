----------------------------- MODULE Protocol ------------------------------
(* All possible steps, and the steps that must eventually happen. *)
EXTENDS Operators, World

Next ==
  \/ \E n \in Nodes :
       \/ register(n) \/ handOver(n) \/ accept(n) \/ save(n) \/ saved(n) \/ rejected(n)
       \/ release(n) \/ renew(n) \/ ownedInstances(n) \/ reconcile(n) \/ drop(n) \/ recover(n)
       \/ deleteExecutors(n) \/ drain(n) \/ markStopped(n) \/ crash(n) \/ lose(n)
       \/ \E i \in Instances :
            \/ start(n, i) \/ claim(n, i) \/ run(n, i) \/ unconsumedMessages(n, i) \/ submitRelease(n, i)
            \/ dropChanged(n, i)
  \/ \E i \in Instances : cancel(i) \/ pause(i) \/ resume(i) \/ signal(i)
  \/ \E e \in Ids : lapse(e)
  \/ linger

\* Every enabled step eventually happens; faults and actions need not, but the signal arrives.
Fairness ==
  /\ \A n \in Nodes :
       /\ WF_vars(register(n)) /\ WF_vars(handOver(n)) /\ WF_vars(accept(n)) /\ WF_vars(save(n))
       /\ WF_vars(saved(n)) /\ WF_vars(release(n)) /\ WF_vars(renew(n)) /\ WF_vars(ownedInstances(n))
       /\ WF_vars(reconcile(n)) /\ WF_vars(recover(n)) /\ WF_vars(markStopped(n))
       /\ \A i \in Instances :
            /\ WF_vars(start(n, i)) /\ WF_vars(claim(n, i)) /\ WF_vars(run(n, i))
            /\ WF_vars(unconsumedMessages(n, i)) /\ WF_vars(submitRelease(n, i))
  /\ \A i \in Instances : WF_vars(resume(i)) /\ WF_vars(signal(i))
  /\ \A e \in Ids : WF_vars(lapse(e) /\ UNCHANGED faults)
  /\ WF_vars(Arrive)

Safety == Init /\ [][Next]_vars
Spec == Safety /\ Fairness
============================================================================
