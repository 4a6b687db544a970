"""Words of a question that say nothing about where its answer stands."""

_ENGLISH = """
    a about above after again all also am an and any are as at be because been before being
    below between both but by can could did do does doing during each either for from further
    had has have having he her here hers him his how i if in into is it its itself just let
    may me might more most must my neither no nor not of on once only or other our ours out
    over own per please same shall she should since so some such than that the their theirs
    them themselves then there these they this those through thus to too under until up upon
    us very via was we were what whatever when where whether which while who whom whose why
    will with within without would you your yours
"""

_PORTUGUESE = """
    a à ao aos aquela aquelas aquele aqueles aquilo as às até com como cujo da das de dela
    delas dele deles depois do dos e é ela elas ele eles em entre era eram essa essas esse
    esses esta está estão estar estas estava este estes eu fica ficam foi foram há isso isto
    já lhe mais mas me mesmo meu minha muito na não nas nem no nos nós nossa nosso num numa o
    onde os ou para pela pelas pelo pelos pode podem por porque porquê qual quais quando quanto
    que quê quem se seja sem ser será seu seus são só sobre sua suas também te tem têm ter
    toda todas todo todos tu um uma umas uns você vocês
"""

# Words (accents folded) that are common in one of the two languages and neither English
# words nor usual identifiers in the other: "do", "no", "as", "a" and "os" tell nothing.
_PORTUGUESE_MARKERS = """
    ao aos com como das de dos ela ele em entao entre essa esse esta estao este fica foi isso
    isto mais mas nao nas numa onde ou para pela pelo por porque qual quais quando que quem
    sao sem ser seu seus sobre sua suas tambem uma voce
"""

_ENGLISH_MARKERS = """
    an and are at be by does for from has have how in into is it its of on or that the their
    there these this to was what when where which who why with
"""

ENGLISH = frozenset(_ENGLISH.split())
ENGLISH_MARKERS = frozenset(_ENGLISH_MARKERS.split())
PORTUGUESE = frozenset(_PORTUGUESE.split())
PORTUGUESE_MARKERS = frozenset(_PORTUGUESE_MARKERS.split())
