"""Numbers of the codes that `ensemble_nodes` makes of cells; compiled code holds them too."""

#: The kinds of lines of codes: missing cells are below all codes, above all, or are -1 where others are 0.
LOW, HIGH, AS_IT_IS = range(3)
#: The threshold of a leaf, to which its number is added; no code is above it.
LEAF = 2**30
#: The code of a missing cell in a line `HIGH`.
ABOVE_ALL = LEAF - 1
