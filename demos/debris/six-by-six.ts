/** Solves a symmetric positive definite system of six equations by Cholesky's factors. Both arguments are overwritten. */
export function solveSixBySix(matrix: Float64Array, right: Float64Array): void {
  for (let i = 0; i < 6; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[6 * i + j];
      for (let k = 0; k < j; k++) sum -= matrix[6 * i + k] * matrix[6 * j + k];
      matrix[6 * i + j] = i === j ? Math.sqrt(sum) : sum / matrix[7 * j];
    }
  }
  for (let i = 0; i < 6; i++) {
    for (let k = 0; k < i; k++) right[i] -= matrix[6 * i + k] * right[k];
    right[i] /= matrix[7 * i];
  }
  for (let i = 5; i >= 0; i--) {
    for (let k = i + 1; k < 6; k++) right[i] -= matrix[6 * k + i] * right[k];
    right[i] /= matrix[7 * i];
  }
}
