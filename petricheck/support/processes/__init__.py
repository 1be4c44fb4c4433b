"""Computations in processes of their own: started, limited, measured with all they start, ended.

`parallel` runs several, taking turns or one after the other, held to the `limits` of their stages;
`supervision` watches the whole program. They share one way to fork (`child`), one to send
(`messages`), and one to measure and to kill (`tree`). Knows no nets.
"""
