"""Abstract states, the abstract graph, and its refinement."""
