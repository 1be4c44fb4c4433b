"""The questions: the rows of the paper's Table 2, a few beside them, and families of any size."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from notation import (
    REACHABLE,
    UNREACHABLE,
    Entry,
    covering,
    exactly,
    satisfying,
    system,
)
from systems import (
    ALTERNATING_BIT,
    BASIC_ME,
    EXPONENTIAL,
    FIG_8,
    FINKEL_COUNTEREXAMPLE,
    FINKEL_KM,
    FMS,
    FMS_MACHINES,
    IFIP,
    INCLUSION,
    KANBAN,
    KANBAN_CELLS,
    KM_TREE,
    MESH,
    MULTIPOOL,
    PARITY,
    PINGPONG,
    PNCSA,
    THREE_FIVE,
    exchange,
    manufacturing,
    mesh_chain,
    numbered,
)

# --- families

LONG = "ours: the exchange of L6000 at another scale; the paper's row was never published in text"

KANBAN_IDLE_PAIR = satisfying("p5 >= 1, p8 == 0, p9 == 0, p11 == 0")
KANBAN_WHY = "the second and third cell hold equally many: p4 + p5 + p7 = p8 + p9 + p11"
MESH_BUSY = "a processor does one thing at a time: p2 + p3 + p6 + p7 = 1"
MESH_WAITING = "two results of one processor wait while two others compute; firing sequence"
FMS_ASSEMBLED = "t0 t4 t9 t5 t2 t7 t12 t11 t1 t6 t10"


def off_the_cycle(name: str, scale: int, source: str) -> Entry:
    """The exchange, asked for a marking that has the right weighted sum but no full place."""
    chosen = exchange(scale, source)
    return Entry(
        name,
        chosen,
        exactly(chosen, f"{4 * scale + scale % 2} p1 + {5 * scale // 2} p2 + {scale} p3"),
        UNREACHABLE,
        f"p1 = {6 * scale} or p2 = {3 * scale} or p3 = {2 * scale} always; "
        f"the place invariant p1 + 2*p2 + 3*p3 = {12 * scale} admits the target",
    )


def deadlock(name: str, pieces: int) -> Entry:
    """Asks for the marking in which both lines block each other: nine raw pieces are needed."""
    chosen = manufacturing(pieces)
    dead = "X3 + X4 + X6 + X8 + 3 X11 + X14 + 2 X15 + X17 + X18 + X21 + X24"
    if pieces < 9:
        why = f"the dead marking holds nine pieces and there are {pieces}; finitely many markings"
        return Entry(name, chosen, exactly(chosen, dead, free=["X1"]), UNREACHABLE, why)
    return Entry(
        name,
        chosen,
        exactly(chosen, f"{dead} + {pieces - 9} X1"),
        REACHABLE,
        "nine pieces fill both lines until neither can move; firing sequence",
        "t0 t1 t2 t0 t3 t1 t4 t2 t0 t4 t2 t4 t5 t3 t1 t0 t2 t5 t3 t1 t0 t5 t6 t4 t2 t7 t9 t7",
    )


def beyond_the_power(name: str, rounds: int) -> Entry:
    """One token more than doubling this many times can give."""
    return Entry(
        name,
        EXPONENTIAL,
        exactly(EXPONENTIAL, f"p1 + {2**rounds + 1} p2 + {rounds} p5"),
        UNREACHABLE,
        "with p1 marked p2 + p3 <= 2^p5, with p4 marked p2 + 2*p3 <= 2^(p5 + 1); "
        f"2^{rounds} = {2**rounds}",
    )


def kanban_family(cards: int) -> tuple[Entry, ...]:
    """Four cells with this many cards each; nothing comes from outside."""
    closed = system(
        f"kanban_n{cards}",
        "p0..p15",
        f"{cards} p2 + {cards} p6 + {cards} p10 + {cards} p14",
        KANBAN_CELLS,
        source=KM_TREE + "kanban.net, closed, after Ciardo and Tilgner",
        bounded=True,
    )
    marking = " + ".join(f"{cards} {place}" for place in ("p1", "p5", "p9", "p13"))
    rework = "t0 t3 t4 t7 t11 t8 t12 " * cards + "t0 t3 t4 t5 t9 " * cards + "t0 t1 " * cards
    return (
        Entry(f"{closed.net.name}_U", closed, KANBAN_IDLE_PAIR, UNREACHABLE, KANBAN_WHY),
        Entry(
            f"{closed.net.name}_R",
            closed,
            exactly(closed, marking),
            REACHABLE,
            "every piece of every cell in rework; firing sequence",
            rework,
        ),
    )


def fms_family(pallets: int) -> tuple[Entry, ...]:
    """Three kinds of parts with this many pallets each; nothing comes from outside."""
    closed = system(
        f"fms_n{pallets}",
        "p0..p21",
        f"{pallets} p0 + {pallets} p2 + {pallets} p3 + 3 p8 + p13 + 2 p16",
        FMS_MACHINES,
        source=KM_TREE + "fms.net, closed, after Ciardo and Trivedi",
        bounded=True,
    )
    return (
        Entry(
            f"{closed.net.name}_U",
            closed,
            covering("2 p12"),
            UNREACHABLE,
            "one machine of the second kind: p12 + p13 = 1",
        ),
        Entry(
            f"{closed.net.name}_R",
            closed,
            exactly(closed, f"{pallets} p14 + {pallets} p20 + 3 p8 + p13 + 2 p16"),
            REACHABLE,
            "everything assembled or finished; firing sequence",
            f"{FMS_ASSEMBLED} t15 " * pallets + "t3 t8 " * pallets,
        ),
    )


def manufacturing_family(pieces: int) -> tuple[Entry, ...]:
    """The manufacturing system with this many raw pieces; it can block from nine on."""
    verdict = "U" if pieces < 9 else "R"
    return (deadlock(f"manufacturing_n{pieces}_{verdict}", pieces),)


def long_family(scale: int) -> tuple[Entry, ...]:
    """The exchange with 6·scale markings."""
    return (off_the_cycle(f"long_n{scale}_U", scale, LONG),)


def exponential_family(rounds: int) -> tuple[Entry, ...]:
    """The exponential net with the target p2 = 2^rounds + 1."""
    return (beyond_the_power(f"exponential_n{rounds}_U", rounds),)


def mesh_family(copies: int) -> tuple[Entry, ...]:
    """This many copies of the mesh in a row, each fed by the one before."""
    chain = mesh_chain(copies)
    name, row = chain.net.name, range(1, copies + 1)
    waiting = " + ".join(numbered("p12 + p13 + p18 + p21", copy) for copy in row)
    firings = (
        # The last copy needs two results, and each copy before it two more than its successor.
        numbered("t32 t0 t6 " * (2 * (copies - copy + 1)) + "t12 t13 t34 t16 t35 t17", copy)
        for copy in row
    )
    return (
        Entry(
            f"{name}_U",
            chain,
            covering(numbered("p2 + p7", copies)),
            UNREACHABLE,
            f"in the last copy {MESH_BUSY}",
        ),
        Entry(
            f"{name}_R",
            chain,
            covering(waiting),
            REACHABLE,
            f"in every copy {MESH_WAITING}",
            " ".join(firings),
        ),
    )


FAMILIES: Mapping[str, Callable[[int], tuple[Entry, ...]]] = {
    "exponential": exponential_family,
    "fms": fms_family,
    "kanban": kanban_family,
    "long": long_family,
    "manufacturing": manufacturing_family,
    "mesh": mesh_family,
}

# --- rows

ENTRIES = (
    Entry(
        "basic_me_U",
        BASIC_ME,
        covering("p4 + p5"),
        UNREACHABLE,
        "mutual exclusion: p1 + p4 + p5 = 1",
    ),
    Entry(
        "ifip_U",
        IFIP,
        covering("2 p4"),
        UNREACHABLE,
        "p2 + p4 + p5 = 2, and t1, the only one to fill p4 and p5, needs both tokens back in p2",
    ),
    Entry(
        "pingpong_U",
        PINGPONG,
        covering("p3 + p5"),
        UNREACHABLE,
        "ping's turn excludes a pending pong; 5 markings",
    ),
    off_the_cycle("l6000_U", 1000, KM_TREE + "l6000.net"),
    off_the_cycle("long_1_U", 10, LONG),
    off_the_cycle("long_2_U", 100, LONG),
    off_the_cycle("long_3_U", 500, LONG),
    off_the_cycle("long_4_U", 10_000, LONG),
    deadlock("manufacturing_3_U", 3),
    deadlock("manufacturing_8_U", 8),
    deadlock("manufacturing_9_R", 9),
    deadlock("manufacturing_10_R", 10),
    Entry(
        "abp_R",
        ALTERNATING_BIT,
        covering("p1 + p6"),
        REACHABLE,
        "channels do not keep order: the receiver takes an old duplicate for the next message",
        "t1 t2 t7 t8 t3 t4 t10 t11 t6 t7",
    ),
    Entry(
        "fms_R",
        FMS,
        exactly(FMS, "3 p8 + p13 + p16 + p17 + p20 + p21 + p22"),
        REACHABLE,
        "one part in assembly, one assembled, one waiting; firing sequence",
        f"t20 t21 {FMS_ASSEMBLED} t15 t20 t21 {FMS_ASSEMBLED} t21 t2 t7 t12 t16",
    ),
    Entry(
        "fms_U",
        FMS,
        covering("2 p12"),
        UNREACHABLE,
        "one machine of the second kind: p12 + p13 = 1",
    ),
    Entry(
        "fms_U2",
        FMS,
        covering("3 p8 + p9"),
        UNREACHABLE,
        "three machines of the first kind: p8 + p9 = 3",
    ),
    Entry(
        "finkel_km_R",
        FINKEL_KM,
        exactly(FINKEL_KM, "7 p2 + 5 p3"),
        REACHABLE,
        "one branch pumped to twelve tokens; firing sequence",
        "t1 t2" + " t4 t2" * 10 + " t4" * 7,
    ),
    Entry(
        "finkel_km_U",
        FINKEL_KM,
        covering("p2 + p4"),
        UNREACHABLE,
        "the first step chooses one of the branches p2, p3 and p4, p5; the other stays empty",
    ),
    Entry(
        "finkel_counterex_R",
        FINKEL_COUNTEREXAMPLE,
        exactly(FINKEL_COUNTEREXAMPLE, "p3 + 20 p5"),
        REACHABLE,
        "twenty rounds; firing sequence",
        "t5 t8 t4" + " t3 t4" * 18,
    ),
    Entry(
        "kanban_R",
        KANBAN,
        covering("2 p4 + 4 p6 + 4 p10 + 6 p13 + 4 p14"),
        REACHABLE,
        "enough cards enter; firing sequence",
        "t16 t17 t18 t19 t0 t3 t4 t7 t11 t8 t12 " * 6
        + "t16 t17 t18 t0 t3 t4 " * 2
        + "t17 t18 t19 " * 4,
    ),
    Entry("kanban_U", KANBAN, KANBAN_IDLE_PAIR, UNREACHABLE, KANBAN_WHY),
    Entry(
        "mesh2x2_R",
        MESH,
        covering("p12 + p13 + p18 + p21"),
        REACHABLE,
        MESH_WAITING,
        "t32 t0 t6 t12 t32 t0 t6 t13 t34 t16 t35 t17",
    ),
    Entry(
        "mesh2x2_U",
        MESH,
        covering("p2 + p7"),
        UNREACHABLE,
        MESH_BUSY,
    ),
    Entry(
        "multipool_U",
        MULTIPOOL,
        covering("p3 + p4 + p13 + p14"),
        UNREACHABLE,
        "three threads: p3 + p4 + p6 + p7 + p8 + p9 + p10 + p11 + p13 + p14 = 3",
    ),
    Entry(
        "pncsacover_R",
        PNCSA,
        covering("p12 + p21 + p23 + p28 + p30"),
        REACHABLE,
        "messages of three rounds linger; firing sequence",
        "t0 t18 t1 t12 t16 t31 t34 t0 t18 t19 t1 t2 t20 t3 t26 t4 t5 t6 t0 t13 t24 t18 t19 t16 "
        "t0 t1 t2 t20 t21 t3 t25 t8",
    ),
    Entry(
        "exponential_R",
        EXPONENTIAL,
        exactly(EXPONENTIAL, "p1 + 8 p2 + 3 p5"),
        REACHABLE,
        "doubled three times; firing sequence",
        " ".join("a1 " * n + "a2 " + "a4 " * n + "a3" for n in (1, 2, 4)),
    ),
    beyond_the_power("exponential_U", 2),
    beyond_the_power("exponential_U_33", 5),
    Entry(
        "exponential_U_lower",
        EXPONENTIAL,
        satisfying("p2 == 0, p3 == 0"),
        UNREACHABLE,
        "what is doubled never vanishes: p1 + p4 = 1 and p2 + p3 >= 1",
    ),
    Entry(
        "language_inclusion_U",
        INCLUSION,
        satisfying("y >= 1, u == 0"),
        UNREACHABLE,
        "the specification can match every b that was observed: u = x + y",
    ),
    Entry(
        "fig8_U",
        FIG_8,
        exactly(FIG_8, "p1"),
        UNREACHABLE,
        "p1 = p2; no Boolean combination of p_i = c is an inductive invariant but true",
    ),
    Entry(
        "parity_U",
        PARITY,
        exactly(PARITY, "7 p1"),
        UNREACHABLE,
        "p1 is even; no linear inequalities separate the target",
    ),
    Entry(
        "three_five_U",
        THREE_FIVE,
        exactly(THREE_FIVE, "4 p1"),
        UNREACHABLE,
        "4 is no sum of threes and fives, though 3*x + 5*y = 4 has rational solutions x, y >= 0 "
        "and integer ones",
    ),
)

COLUMNS = ("none", "abs1", "abs2", "abs3", "all")

# The paper's figures: none | ABS(1) | ABS(2) | ABS(3) | all | Fast; refinements and seconds.
TABLE_2 = """
basic_me_U           Basic ME: 3 1.3 | 3 1.55 | 3 1.3 | 3 1.3 | 3 1.7 | <1
ifip_U               IFIP: 12 2.3 | 2 1.7 | 12 4.3 | 10 4.6 | 2 1.8 | <1
l6000_U              L6000: * | 17 16.5 | 8 4.7 | * | 3 4.0 | <1
long_1_U             Long 1: * | 1 1.2 | 7 7.1 | * | 1 1.2 | <1
long_2_U             Long 2: * | 1 1.4 | 10 11.1 | 13 15.4 | 1 1.4 | <1
long_3_U             Long 3: * | * | 10 11.5 | 8 8.2 | 11 19.2 | <1
long_4_U             Long 4: * | 1 2.8 | 9 11.2 | 103 79.6 | 1 3.0 | <1
manufacturing_3_U    Manufacturing 3: * | 323 802 | 441 2635 | 675 1946 | 354 1588 | 2.4
manufacturing_9_R    Manufacturing 9: * | 232 801 | 264 632 | 560 3053 | 295 1515 | 10.8
abp_R                Alternating bit prot.: 64 14.8 | 16 10.5 | 44 17.5 | 35 15.2 | 16 14.7 | 4.5
fms_R                FMS: 25 20.5 | 23 28.4 | 25 27.3 | 17 24.7 | 23 32.4 | 98.4
fms_U                FMS: 18 9.8 | 2 7.0 | 13 17.6 | 18 10.7 | 2 6.7 | 37.4
finkel_km_R          FinkelKM: 16 5.8 | 15 8.9 | 16 11.6 | 17 11.6 | 15 22.7 | 5.7
finkel_km_U          FinkelKM: 14 5.7 | 3 2.4 | 6 6.5 | 7 3.4 | 3 2.5 | 5.7
finkel_counterex_R   Finkel Counterex.: 12 2.3 | 10 3.5 | 12 2.3 | 12 2.6 | 10 3.6 | <1
kanban_R             Kanban: 28 33.3 | 19 35.8 | 29 70.0 | 22 41.5 | 25 67.3 | *
kanban_U             Kanban: * | 1 3.9 | * | * | 1 3.8 | *
mesh2x2_R            Mesh 2x2: 75 52.3 | 64 82.9 | 60 56.6 | 68 102 | 65 105 | 97
mesh2x2_U            Mesh 2x2: 186 170 | 18 33.7 | * | * | 18 37.8 | 97
multipool_U          Multipool: 56 423 | 1 5.4 | * | * | 1 5.0 | *
pingpong_U           Pingpong: 3 1.4 | 2 1.5 | 2 1.4 | 2 1.3 | 2 1.5 | <1
pncsacover_R         PNCSA Cover: 32 15.0 | 17 16.5 | 32 14.5 | 26 16.4 | 17 17.7 | *
exponential_U        Exponential: * | 8 3.9 | 8 3.4 | 6 5.1 | 5 5.2 | *
language_inclusion_U Language inclusion: * | * | 5 3.7 | 2 1.7 | 6 9.0 | <1
"""


def published(name: str) -> dict[str, object]:
    """The row of Table 2 that this question stands for, or nothing."""
    for line in TABLE_2.strip().splitlines():
        label, _, rest = line.partition(" ")
        if label == name:
            row, _, figures = rest.strip().partition(": ")
            *columns, fast = figures.split(" | ")
            read = zip(COLUMNS, map(figure, columns), strict=True)
            return {"row": row, "paper": dict(read) | {"fast": fast}}
    return {}


def figure(text: str) -> list[int | float] | None:
    """`12 2.3` as numbers; `*`, a timeout, as None."""
    if text == "*":
        return None
    refinements, seconds = text.split()
    return [int(refinements), float(seconds)]
