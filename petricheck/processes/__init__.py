"""Computations in processes of their own: started, limited, measured with all they start, ended.

`parallel` runs several, taking turns or one after the other; `limited` holds one, with whatever it
starts, to hard limits; `supervision` does so for the whole program. They share one way to fork
(`child`), one to send (`messages`), one to measure and to kill (`tree`). Knows no nets.
"""
