"""How the growth loop ends, and where its stack holds what.

A node waits on a stack until it is searched. The smaller children of a split are searched first, so the stack stays
short.
"""

#: The status of a loop that returns: no node waits; its share of work is done; the reference must decide the node on
#: top of the stack; the pool of sides is full; the first kept candidate cuts a monotone feature, whose bounds only the
#: reference rounds.
DONE, PAUSED, NEEDS_REFERENCE, FULL, NEEDS_BOUNDS = range(5)
#: Columns of the stack: the number of a node, its first row, the row after its last, its depth.
NODE, START, STOP, DEPTH = range(4)
#: The cost of a node in cells, whatever its size.
NODE_CELLS = 64
