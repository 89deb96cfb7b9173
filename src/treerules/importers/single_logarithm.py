"""The natural logarithm of float32 numbers as the C library of Linux computes it (`logf` of glibc 2.27 and later).

It is not always the nearest float32: in one of 65 numbers it is the one beside it. The table and the polynomial are
those of the optimized routines of ARM, which glibc uses: log(x) = log(c) + log1p(x / c - 1) + k * log(2).
"""

from struct import pack, unpack

#: For each sixteenth of a binade 1 / c and log(c).
_TABLE = tuple(
    (float.fromhex(inverse), float.fromhex(logarithm))
    for inverse, logarithm in (
        ("0x1.661ec79f8f3bep+0", "-0x1.57bf7808caadep-2"),
        ("0x1.571ed4aaf883dp+0", "-0x1.2bef0a7c06ddbp-2"),
        ("0x1.49539f0f010bp+0", "-0x1.01eae7f513a67p-2"),
        ("0x1.3c995b0b80385p+0", "-0x1.b31d8a68224e9p-3"),
        ("0x1.30d190c8864a5p+0", "-0x1.6574f0ac07758p-3"),
        ("0x1.25e227b0b8eap+0", "-0x1.1aa2bc79c81p-3"),
        ("0x1.1bb4a4a1a343fp+0", "-0x1.a4e76ce8c0e5ep-4"),
        ("0x1.12358f08ae5bap+0", "-0x1.1973c5a611cccp-4"),
        ("0x1.0953f419900a7p+0", "-0x1.252f438e10c1ep-5"),
        ("0x1p+0", "0x0p+0"),
        ("0x1.e608cfd9a47acp-1", "0x1.aa5aa5df25984p-5"),
        ("0x1.ca4b31f026aap-1", "0x1.c5e53aa362eb4p-4"),
        ("0x1.b2036576afce6p-1", "0x1.526e57720db08p-3"),
        ("0x1.9c2d163a1aa2dp-1", "0x1.bc2860d22477p-3"),
        ("0x1.886e6037841edp-1", "0x1.1058bc8a07ee1p-2"),
        ("0x1.767dcf5534862p-1", "0x1.4043057b6ee09p-2"),
    )
)
_POLYNOMIAL = tuple(map(float.fromhex, ("-0x1.00ea348b88334p-2", "0x1.5575b0be00b6ap-2", "-0x1.ffffef20a4123p-2")))
_LN2 = float.fromhex("0x1.62e42fefa39efp-1")
#: The bits of 1.0, and of the number where the sixteenths begin.
_ONE, _FIRST = 0x3F800000, 0x3F330000


def single_logarithm(number: float) -> float:
    """Return the natural logarithm of a float32 number above 0, not subnormal, as a float32.

    >>> single_logarithm(1.0), single_logarithm(0.5)
    (0.0, -0.6931471824645996)
    """
    bits: int = unpack("<I", pack("<f", number))[0]
    if bits == _ONE:
        return 0.0
    offset = (bits - _FIRST) & 0xFFFFFFFF
    inverse, logarithm = _TABLE[(offset >> 19) % 16]
    exponent = (offset - (1 << 32) if offset >> 31 else offset) >> 23
    mantissa: float = unpack("<f", pack("<I", (bits - (offset & 0xFF800000)) & 0xFFFFFFFF))[0]
    rest = mantissa * inverse - 1
    square = rest * rest
    third, second, first = _POLYNOMIAL[0], _POLYNOMIAL[1], _POLYNOMIAL[2]
    polynomial = third * square + (second * rest + first)
    result: float = unpack("<f", pack("<f", polynomial * square + (logarithm + exponent * _LN2 + rest)))[0]
    return result
