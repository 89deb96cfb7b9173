"""Proofs about rules and trees.

    optimal trees    prove_optimal(tree, table): a Certificate that no tree of its depth costs less
                     certify(certificate, table): checks one, from the raw table alone
                     save_certificate, load_certificate

`treerules` itself has the proofs about rules, with witnesses: check, diff, explain, review, to_exclusive.

>>> from treerules import Table, learn, optimal
>>> from treerules.proof import certify, prove_optimal
>>> table = Table.from_columns({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": ["p", "q", "q", "p"]})
>>> tree = learn(table, target="y", recipe=optimal(max_depth=2, leaf_penalty=0))
>>> certify(prove_optimal(tree, table), table, tree=tree)
<CertificateCheck valid lower=0>

Each name is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from treerules._internal.lazy_package import lazy_package

# isort: off
if TYPE_CHECKING:  # for editors and type checkers: the same names as in _NAMES
    from treerules.proof.certificate import Certificate as Certificate
    from treerules.proof.certificate_check import CertificateCheck as CertificateCheck, certify as certify
    from treerules.proof.certificate_files import load_certificate as load_certificate
    from treerules.proof.certificate_files import save_certificate as save_certificate
    from treerules.proof.optimality_proof import prove_optimal as prove_optimal
# isort: on

#: The public names by the module that defines them, below treerules.
_NAMES = {
    "proof.certificate": "Certificate",
    "proof.certificate_check": "CertificateCheck certify",
    "proof.certificate_files": "load_certificate save_certificate",
    "proof.optimality_proof": "prove_optimal",
}

__all__, __getattr__, __dir__ = lazy_package(__name__, _NAMES)
