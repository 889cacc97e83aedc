----------------------------- MODULE Properties -----------------------------
(* The promises of the protocol. *)
EXTENDS Protocol, TLC

Symmetry == Permutations(Nodes)

\* The history is one chain: each entry starts where the one before it ended, and seq counts them.
Linear ==
  \A i \in Instances :
    /\ Len(hist[i]) = row[i].seq
    /\ \A k \in 1..Len(hist[i]) : hist[i][k].from = IF k = 1 THEN 0 ELSE hist[i][k - 1].to

Entries(i) == {k \in 1..Len(hist[i]) : hist[i][k].type = "attempt"}

\* No state's transition is accepted twice.
OnceEach ==
  \A i \in Instances : \A j, k \in Entries(i) : hist[i][j].from = hist[i][k].from => j = k

\* Two claims never both have a write accepted.
OneWriter ==
  \A i \in Instances :
    \A s, t \in UNION {saves[n] : n \in Nodes} :
      s.instance = i /\ t.instance = i /\ s.answer = "none" /\ t.answer = "none"
      /\ Matches(s) /\ Matches(t) => s.executor = t.executor /\ s.lease = t.lease

\* A node never takes its own entry for a foreign one, nor a foreign one for its own.
OwnIsKnown ==
  \A n \in Nodes : \A s \in saves[n] :
    /\ s.answer = "fenced" => ~Written(s)
    /\ s.answer \in {"held", "left"} => Written(s)

\* A holder that may still write knows the stored state.
HolderIsRight ==
  \A n \in Nodes : \A i \in Instances :
    LET h == held[n][i] IN
    h # None /\ h.executor = row[i].owner /\ h.lease = row[i].lease /\ h.seq = row[i].seq
      => h.state = row[i].state

\* The heartbeat releases only instances that the node does not know.
GivesBackTheUnknown ==
  \A n \in Nodes : mode[n] = "up" =>
    \A r \in releases[n] :
      /\ ~Holds(n, r.instance, r.executor, r.lease)
      /\ \A a \in asks[n] :
           ~(a.instance = r.instance /\ IsClaim(a.got, r.executor, r.lease))

\* An executor that stopped in an orderly way owns nothing, unless messages were lost.
DrainedOwnsNothing ==
  losses = 0 => \A n \in Nodes : mode[n] = "down" /\ exec[id[n]] = "done" => ~Owns(id[n])

\* An owned instance belongs to a running lease, or to one that recovery finds.
NoneIsForgotten ==
  \A i \in Instances :
    row[i].owner = Nobody \/ exec[row[i].owner] = "runs" \/ row[i].owner \in Expired

----------------------------------------------------------------------------

New(i) == hist'[i][Len(hist'[i])]
Grew(i) == Len(hist'[i]) > Len(hist[i])

\* A handler's result is accepted only from the holder, under its lease.
HolderWrites ==
  [][\A i \in Instances :
       Grew(i) /\ New(i).by # Nobody /\ New(i).type # "recovery"
         => row[i].owner = New(i).by /\ row[i].lease = New(i).lease]_vars

\* lease_version never decreases, and increases with each new holder and with each revocation.
LeaseGrows ==
  [][\A i \in Instances :
       /\ row'[i].lease >= row[i].lease
       /\ row'[i].owner \notin {Nobody, row[i].owner} => row'[i].lease > row[i].lease
       /\ row[i].owner # Nobody /\ Grew(i) /\ New(i).type = "cancel"
            => row'[i].lease > row[i].lease]_vars

\* An ended instance does not change.
EndedStays ==
  [][\A i \in Instances : Ended(i) => row'[i].status = row[i].status /\ ~Grew(i)]_vars

\* A node that learns that it was fenced starts no further attempt under that claim.
FencedStops ==
  [][\A n \in Nodes : \A s \in saves[n] \ saves'[n] :
       s.answer = "fenced" /\ s \notin saves'[n] /\ ~(\E t \in saves'[n] : t.seq = s.seq)
         => ~IsClaim(held'[n][s.instance], s.executor, s.lease)]_vars

\* A node does not go back from a later claim of an instance to an earlier one.
KeepsLatest ==
  [][\A n \in Nodes : \A i \in Instances :
       held[n][i] # None /\ held'[n][i] # None => held'[n][i].lease >= held[n][i].lease]_vars

\* Recovery takes no instance from an executor with a running lease.
RecoversTheDead ==
  [][\A i \in Instances :
       Grew(i) /\ New(i).type = "recovery" => Dead(row[i].owner)]_vars

----------------------------------------------------------------------------

\* When faults end, every instance ends.
EveryInstanceEnds == \A i \in Instances : <>Ended(i)
=============================================================================
