"""The structures: nets of the literature, each under the ids of its publication, and a few of ours.

A structure is a fact; it is written out here, and `source` names where it was published.
"""

from __future__ import annotations

import re

from notation import System, system

KM_TREE = "vipulharsh/KM_tree@760d14e22462:examples/"
MIST = "pierreganty/mist@1b1fd970e1e3:benchmarks/"
PAPER = "Leroux, Rümmer, Subotić 2016, "

# --- bounded

BASIC_ME = system(
    "basic_me",
    "p1..p5",
    "p1 + p2 + p3",
    """
    t1: p1 + p3 -> p4 while p2
    t2: p1 + p2 -> p5 while p3
    t3: p4 -> p1 + p3
    t4: p5 -> p1 + p2
    """,
    source=KM_TREE + "basicME.net",
    bounded=True,
)

IFIP = system(
    "ifip",
    "p1..p5",
    "p1 + 2 p2",
    """
    t1: p1 + 2 p2 -> p3 + p4 + p5
    t2: p4 -> p2
    t3: p5 -> p2
    t4: p3 -> p3
    t5: p3 -> p1
    """,
    source=KM_TREE + "ifip.net",
    bounded=True,
)

PINGPONG = system(
    "pingpong",
    "p1..p6",
    "p1",
    """
    t1: p1 -> p2 + p6
    t2: p1 -> p3 + p6
    t3: p6 -> p4 while p3
    t4: p2 + p6 -> p3 + p4
    t5: p3 + p4 -> p2 + p5
    t6: p2 + p5 -> p3 + p4
    """,
    source=KM_TREE + "pingpong.net",
    bounded=True,
)


def exchange(scale: int, source: str) -> System:
    """L6000 is the exchange at scale 1000: three places trade tokens round one long cycle.

    Each transition waits for its place to be full, then the place that it fills becomes the next
    that is full: exactly 6·scale markings, all with p1 + 2·p2 + 3·p3 = 12·scale.
    """
    return system(
        "exchange",
        "p1..p3",
        f"{6 * scale} p1 + {2 * scale} p3",
        f"""
        t1: 2 p3 -> 3 p2 while {6 * scale} p1
        t2: 3 p1 -> p3 while {3 * scale} p2
        t3: p2 -> 2 p1 while {2 * scale} p3
        """,
        source=source,
        bounded=True,
    )


def manufacturing(pieces: int) -> System:
    """Fribourg and Bérard's manufacturing system with this many raw pieces and capacities 3."""
    return system(
        f"manufacturing_{pieces}",
        "X1..X25",
        f"{pieces} X1 + X2 + X4 + X7 + 3 X10 + X12 + X13 + 3 X15 + X16 + X19 + X24",
        """
        t0: X1 + X2 + X4 -> X3 + X5
        t1: X1 + X3 + X7 -> X2 + X6
        t2: X5 + X12 -> X4 + X8
        t3: X6 + X13 -> X7 + X9
        t4: X8 + X10 -> X11 + X12
        t5: X9 + X15 -> X13 + X14
        t6: X11 + X16 -> X10 + X17
        t7: X14 + X19 -> X15 + X18
        t8: X12 + X17 -> X16 + X20
        t9: X13 + X18 -> X19 + X21
        t10: X20 + X24 -> X1 + X12 + X22
        t11: X21 + X22 -> X23
        t12: X23 -> X25
        t13: X25 -> X1 + X13 + X24
        """,
        source=MIST + "reachPN/manufacture.spec",
        bounded=True,
    )


# --- unbounded

ALTERNATING_BIT = system(
    "abp",
    "p1..p12",
    "p1 + p5",
    """
    t1: p1 -> p2 + p9
    t2: -> p9 while p2
    t3: p2 + p10 -> p3
    t4: p3 -> p4 + p11
    t5: -> p11 while p4
    t6: p4 + p12 -> p1
    t7: p5 + p9 -> p6
    t8: p6 -> p7 + p10
    t9: p7 + p9 -> p6
    t10: p7 + p11 -> p8
    t11: p8 -> p5 + p12
    t12: p5 + p11 -> p8
    t13: p9 ->
    t14: p10 ->
    t15: p11 ->
    t16: p12 ->
    """,
    source=KM_TREE + "abp.net",
)

FMS_MACHINES = """
    t0: p0 -> p4
    t1: p1 + p11 -> p5
    t2: p2 -> p6
    t3: p3 -> p7
    t4: p4 + p8 -> p9
    t5: p15 -> p1
    t6: p5 -> p10
    t7: p6 + p13 -> p12
    t8: p7 -> p14
    t9: p9 -> p8 + p15
    t10: p10 + p16 -> p17
    t11: p18 -> p11
    t12: p12 -> p13 + p18
    t13: p14 -> p3
    t14: p15 -> p19
    t15: p17 -> p16 + p20
    t16: p18 -> p21
    t17: p19 -> p0
    t18: p20 -> p0 + p2
    t19: p21 -> p2
"""
FMS_SUPPLY = """
    t20: -> p0 while p22
    t21: -> p2 while p22
    t22: -> p3 while p22
"""

FMS = system(
    "fms",
    "p0..p22",
    "3 p8 + p13 + 2 p16 + p22",
    FMS_MACHINES + FMS_SUPPLY,
    source=KM_TREE + "fms.net",
)

KANBAN_CELLS = """
    t0: p2 -> p0
    t1: p0 -> p1
    t2: p1 -> p0
    t3: p0 -> p3
    t4: p3 + p6 + p10 -> p2 + p4 + p8
    t5: p4 -> p5
    t6: p5 -> p4
    t7: p4 -> p7
    t8: p7 + p11 + p14 -> p6 + p10 + p12
    t9: p8 -> p9
    t10: p9 -> p8
    t11: p8 -> p11
    t12: p12 -> p13
    t13: p13 -> p12
    t14: p12 -> p15
    t15: p15 -> p14
"""
KANBAN_SUPPLY = """
    t16: -> p2 while p16
    t17: -> p6 while p16
    t18: -> p10 while p16
    t19: -> p14 while p16
"""

KANBAN = system(
    "kanban",
    "p0..p16",
    "p16",
    KANBAN_CELLS + KANBAN_SUPPLY,
    source=KM_TREE + "kanban.net",
)

FINKEL_KM = system(
    "finkel_km",
    "p1..p5",
    "p1",
    """
    t1: p1 -> p2
    t2: p2 -> 2 p3
    t3: p1 -> p4
    t4: p3 -> p2
    t5: p4 -> 2 p5
    t6: p5 -> p4
    """,
    source=KM_TREE + "FinkelKM.net",
)

FINKEL_COUNTEREXAMPLE = system(
    "finkel_counterex",
    "p1..p7",
    "p1",
    """
    t1: p1 -> p2
    t2: p2 -> p3
    t3: p3 -> p4
    t4: p4 -> p3 + p5
    t5: p1 -> p6
    t6: p1 -> p7
    t7: p7 -> p2 + p5
    t8: p6 -> p4 + p5
    """,
    source=KM_TREE + "FinkelCounterEx.net",
)

MESH_PROCESSORS = """
    t0: p0 + p3 -> p2
    t1: p1 + p4 -> p5
    t2: p3 + p28 -> p6
    t3: p3 + p14 -> p7
    t4: p4 + p13 -> p8
    t5: p4 + p31 -> p9
    t6: p2 -> p3 + p10
    t7: p5 -> p4 + p11
    t8: p6 -> p3 + p16
    t9: p7 -> p1 + p3
    t10: p8 -> p0 + p4
    t11: p9 -> p4 + p17
    t12: p10 -> p12
    t13: p10 -> p13
    t14: p11 -> p14
    t15: p11 -> p15
    t16: p16 + p19 -> p18
    t17: p17 + p20 -> p21
    t18: p12 + p19 -> p22
    t19: p19 + p30 -> p23
    t20: p20 + p29 -> p24
    t21: p15 + p20 -> p25
    t22: p18 -> p19 + p26
    t23: p21 -> p20 + p27
    t24: p22 -> p0 + p19
    t25: p23 -> p17 + p19
    t26: p24 -> p16 + p20
    t27: p25 -> p1 + p20
    t28: p26 -> p28
    t29: p26 -> p29
    t30: p27 -> p30
    t31: p27 -> p31
    t32: -> p0 while p32
    t33: -> p1 while p32
    t34: -> p16 while p32
    t35: -> p17 while p32
"""
MESH_START = "p3 + p4 + p19 + p20 + p32"

MESH = system("mesh2x2", "p0..p32", MESH_START, MESH_PROCESSORS, source=KM_TREE + "mesh2x2.net")


def mesh_chain(copies: int) -> System:
    """This many copies of the mesh in a row; `p0_2` is place p0 of the second.

    What arrives in p0 comes from outside at the first copy, and from p10 of the copy before at
    every other; else each copy is the mesh as published.
    """
    places, starts, lines = [], [], ""
    for copy in range(1, copies + 1):
        source = f"p10_{copy - 1}" if copy > 1 else ""
        linked = MESH_PROCESSORS.replace("t32:", f"t32: {source}")
        places += numbered(" ".join(MESH.net.places), copy).split()
        starts.append(numbered(MESH_START, copy))
        lines += numbered(linked, copy)
    return system(
        f"mesh_n{copies}",
        " ".join(places),
        " + ".join(starts),
        lines,
        source=KM_TREE + "mesh2x2.net, copied and linked",
    )


def numbered(text: str, copy: int) -> str:
    """The text with `_copy` behind every place and transition that has no number of a copy."""
    return re.sub(r"\b([pt]\d+)\b", rf"\1_{copy}", text)


MULTIPOOL = system(
    "multipool",
    "p0..p18",
    "3 p7 + p18",
    """
    t0: p0 -> p2
    t1: p1 -> p5
    t2: p2 + p6 -> p3
    t3: p3 -> p0 + p7
    t4: p4 -> p1 + p7
    t5: p5 + p8 -> p4
    t6: p6 -> p7
    t7: p8 -> p7
    t8: p9 -> p6
    t9: p7 -> p9
    t10: p9 -> p8
    t11: p9 -> p10
    t12: p9 -> p11
    t13: p10 -> p7
    t14: p11 -> p7
    t15: p10 + p12 -> p13
    t16: p13 -> p7 + p16
    t17: p14 -> p7 + p17
    t18: p11 + p15 -> p14
    t19: p16 -> p12
    t20: p17 -> p15
    t21: -> p0 while p18
    t22: -> p1 while p18
    t23: -> p16 while p18
    t24: -> p17 while p18
    """,
    source=KM_TREE + "multipool.net",
)

PNCSA = system(
    "pncsacover",
    "p0..p30",
    "p2 + p13",
    """
    t0: p2 -> p3 + p21
    t1: p3 + p22 -> p4 + p23
    t2: p4 + p24 -> p5 + p25
    t3: p5 + p27 -> p6
    t4: p6 -> p7 + p29
    t5: p7 -> p9
    t6: p9 + p11 -> p1 + p2
    t7: p7 + p30 -> p6
    t8: p6 -> p8 + p28
    t9: p8 -> p9
    t10: p9 -> p0 + p10
    t11: p8 + p26 -> p0 + p10
    t12: p4 -> p0 + p10
    t13: p3 -> p0 + p10
    t14: p10 + p12 -> p2
    t15: p10 + p11 -> p2
    t16: p10 -> p2
    t17: -> p0
    t18: p13 + p21 -> p14 + p22
    t19: p14 + p23 -> p15 + p24
    t20: p15 + p25 -> p16 + p27
    t21: p16 + p29 -> p17
    t22: p17 -> p18
    t23: p18 -> p19
    t24: p0 + p19 -> p12 + p13
    t25: p17 -> p16 + p30
    t26: p16 -> p19
    t27: p16 + p28 -> p19 + p26
    t28: p15 -> p11 + p20
    t29: p19 -> p11 + p20
    t30: p18 -> p11 + p20
    t31: p14 -> p11 + p20
    t32: p1 + p20 -> p13
    t33: p0 + p20 -> p13
    t34: p20 -> p13
    t35: -> p11
    """,
    source=KM_TREE + "pncsacover.net",
)

EXPONENTIAL = system(
    "exponential",
    "p1..p5",
    "p1 + p2",
    """
    a1: p2 -> p3 while p1
    a2: p1 -> p4
    a3: p4 -> p1 + p5
    a4: p3 -> 2 p2 while p4
    """,
    source=PAPER + "Fig. 6; after Hopcroft and Pansiot",
)

INCLUSION = system(
    "language_inclusion",
    "s x u y v w",
    "s",
    """
    a: -> x + u while s
    b: x -> y while s
    b_spec: u + y -> v
    c: v -> w
    """,
    source="ours: a product of an implementation and a specification; "
    "the paper's row was never published in text",
)

FIG_8 = system(
    "fig8", "p1 p2", "", "t1: -> p1 + p2\nt2: p1 + p2 ->", source=PAPER + "Fig. 8 and Example 8"
)
PARITY = system("parity", "p1", "", "up: -> 2 p1\ndown: 2 p1 ->", source="ours")
THREE_FIVE = system("three_five", "p1", "", "three: -> 3 p1\nfive: -> 5 p1", source="ours")
