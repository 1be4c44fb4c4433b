"""Property-directed reachability for nets: frames of clauses, and obligations that they exclude.

Bradley: SAT-based model checking without unrolling (VMCAI 2011); Amat, Dal Zilio, Hujsa: Property
directed reachability for generalized Petri nets (TACAS 2022), on obligations that are generalised
by the hurdle and the effect of a transition which fires any number of times.
"""
