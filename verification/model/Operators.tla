----------------------------- MODULE Operators -----------------------------
(*
  The actions of operators and other programs, through any node.

  action            method
  ----------------  ------------------------------------------------
  cancel            io.millrace.WorkflowClient#cancel
  dropChanged       io.millrace.dispatch.InstanceExecutor#dropChanged
  pause             io.millrace.WorkflowClient#pause
  resume            io.millrace.WorkflowClient#resume
  signal            io.millrace.WorkflowClient#signal
*)
EXTENDS State

----------------------------------------------------------------------------

Action(i, type, to, lease) ==
  [type |-> type, by |-> Nobody, lease |-> lease, from |-> row[i].state, to |-> to]

Once(action, i) ==
  /\ <<action, i>> \in actions
  /\ actions' = actions \ {<<action, i>>}

cancel(i) ==
  LET taken == row[i].owner # Nobody /\ "raiseOnTaking" \in Rules IN
  /\ Once("cancel", i) /\ row[i].status \in {"inProgress", "paused"}
  /\ LET lease == row[i].lease + IF taken THEN 1 ELSE 0 IN
     Write(i, [row[i] EXCEPT !.status = "cancelled", !.owner = Nobody, !.lease = lease,
                             !.seq = @ + 1, !.due = FALSE, !.wake = FALSE],
           Action(i, "cancel", row[i].state, lease))
  /\ UNCHANGED <<exec, memory, late, faults, losses>>

\* The node that the action went through stops its own handler.
dropChanged(n, i) ==
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
                Action(i, "pause", row[i].state, row[i].lease))
  /\ UNCHANGED <<exec, memory, late, faults, losses>>

resume(i) ==
  /\ row[i].status = "paused"
  /\ Write(i, [row[i] EXCEPT !.status = "inProgress", !.seq = @ + 1],
           Action(i, "resume", row[i].state, row[i].lease))
  /\ UNCHANGED <<exec, memory, world>>

signal(i) ==
  /\ Once("signal", i) /\ ~Ended(i) /\ row[i].status # "absent"
  /\ row' = [row EXCEPT ![i] =
       [@ EXCEPT !.inbox = @ \cup {"signal"},
                 !.due = @ \/ (row[i].owner = Nobody /\ row[i].waits)]]
  /\ UNCHANGED <<hist, exec, memory, late, faults, losses>>
============================================================================
