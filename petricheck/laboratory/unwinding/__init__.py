"""Unwindings of nets, as lazy abstraction with interpolants builds them.

McMillan: Lazy abstraction with interpolants (2006), section 2. A net is taken for a program whose
only location has an edge for every transition and one for the target, which leads to the error
location. The error's vertices stay implicit: a vertex whose label excludes the target needs none.
"""
