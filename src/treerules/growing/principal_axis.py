"""The first principal axis of the class shares of categories, in plain loops: kernels and Python give the same bits.

Coppersmith, Hong and Hosking (1999), section 4: the covariance of the shares, each category weighted by its size.
Kernels compile these functions as they stand, so they call no others.
"""

from math import floor, sqrt
from typing import Any

#: Of at most this many classes, or categories where these are fewer, the axis is found here; larger matrices take long.
MOST_AXES = 32
#: Rotations end when the sum of squares beside the diagonal is this share of that of the matrix, or after so many
#: sweeps.
_NEARLY_DIAGONAL, _MOST_SWEEPS = 1e-30, 20
#: Less beside the diagonal is nothing: the square of a ratio to it would be no double.
_LEAST_PRODUCT = 1e-140


def write_deviations(weighted: Any, sizes: Any, deviations: Any, n_categories: int, n_classes: int) -> None:
    """Write the size of each category, and the deviations of its class shares from those of all.

    Args:
        weighted: the weighed class counts, shape (categories, classes or more).
        sizes: written, shape (categories,).
        deviations: written, shape (categories, classes).
        n_categories: the number of categories; arrays may be longer.
        n_classes: the number of classes.
    """
    total = 0.0
    for category in range(n_categories):
        sizes[category] = 0.0
        for label in range(n_classes):
            sizes[category] += weighted[category, label]
        total += sizes[category]
    for label in range(n_classes):
        of_class = 0.0
        for category in range(n_categories):
            of_class += weighted[category, label]
        for category in range(n_categories):
            size = sizes[category] if sizes[category] > 0 else 1.0
            deviations[category, label] = weighted[category, label] / size - of_class / total


def write_products(sizes: Any, deviations: Any, matrix: Any, n_categories: int, n_classes: int) -> None:
    """Write the covariance of the classes; with more classes than categories, the products of the categories.

    Both have the same eigenvalues above 0. `matrix` has as many lines as there are classes or categories, or more.
    """
    has_fewer_classes = n_classes <= n_categories
    m, n_terms = (n_classes, n_categories) if has_fewer_classes else (n_categories, n_classes)
    for i in range(m):
        for j in range(i + 1):
            total = 0.0
            for term in range(n_terms):
                if has_fewer_classes:
                    total += sizes[term] * deviations[term, i] * deviations[term, j]
                else:
                    total += deviations[i, term] * deviations[j, term]
            if not has_fewer_classes:
                total *= sqrt(sizes[i]) * sqrt(sizes[j])
            matrix[i, j] = total
            matrix[j, i] = total


def rotate_to_diagonal(matrix: Any, vectors: Any, m: int) -> None:
    """Turn the first m lines of a symmetric matrix into a diagonal one (Jacobi 1846), and write its eigenvectors.

    Rotations come row by row, so the vectors of equal eigenvalues are defined.
    """
    squares = 0.0
    for i in range(m):
        for j in range(m):
            squares += matrix[i, j] * matrix[i, j]
            vectors[i, j] = 1.0 if i == j else 0.0
    for _ in range(_MOST_SWEEPS):
        beside = 0.0
        for p in range(m - 1):
            for q in range(p + 1, m):
                product = matrix[p, q]
                beside += product * product
                if abs(product) < _LEAST_PRODUCT:
                    continue
                slope = (matrix[q, q] - matrix[p, p]) / (2.0 * product)
                tangent = (1.0 if slope >= 0 else -1.0) / (abs(slope) + sqrt(slope * slope + 1.0))
                cosine = 1.0 / sqrt(tangent * tangent + 1.0)
                sine = tangent * cosine
                for i in range(m):
                    x, y = matrix[i, p], matrix[i, q]
                    matrix[i, p], matrix[i, q] = cosine * x - sine * y, sine * x + cosine * y
                    x, y = vectors[i, p], vectors[i, q]
                    vectors[i, p], vectors[i, q] = cosine * x - sine * y, sine * x + cosine * y
                for i in range(m):
                    x, y = matrix[p, i], matrix[q, i]
                    matrix[p, i], matrix[q, i] = cosine * x - sine * y, sine * x + cosine * y
        if beside <= _NEARLY_DIAGONAL * squares:
            break


def write_coordinates(
    sizes: Any,
    deviations: Any,
    matrix: Any,
    vectors: Any,
    axis: Any,
    coordinates: Any,
    n_categories: int,
    n_classes: int,
) -> None:
    """Write the coordinate of each category on the axis of the greatest eigenvalue, the first of equal ones.

    Coordinates are rounded to 12 decimals, so that categories of equal shares are equal.
    """
    has_fewer_classes = n_classes <= n_categories
    best, norm = 0, 0.0
    for i in range(1, n_classes if has_fewer_classes else n_categories):
        best = i if matrix[i, i] > matrix[best, best] else best
    for label in range(n_classes):
        axis[label] = vectors[label, best] if has_fewer_classes else 0.0
        for category in range(0 if has_fewer_classes else n_categories):
            axis[label] += sqrt(sizes[category]) * deviations[category, label] * vectors[category, best]
        norm += axis[label] * axis[label]
    norm = sqrt(norm) if norm > 0 else 1.0
    for category in range(n_categories):
        coordinate = 0.0
        for label in range(n_classes):
            coordinate += axis[label] / norm * deviations[category, label]
        coordinates[category] = floor(coordinate * 1e12 + 0.5) / 1e12
