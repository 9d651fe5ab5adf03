/** What a reader found, compared with what a library file must contain. */
export type Comparisons = {
  /** Compares two values, which must be the same. */
  same(what: string, actual: unknown, expected: unknown): void
  /** Compares two numbers, which may differ by the tolerance. */
  close(what: string, actual: unknown, expected: number, tolerance: number): void
  count(): number
  /** One line for each difference. */
  differences: string[]
}

export function createComparisons(): Comparisons {
  const differences: string[] = []
  let count = 0
  const add = (isSame: boolean, what: string, actual: unknown, expected: unknown) => {
    count++
    if (!isSame) differences.push(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`)
  }
  return {
    same: (what, actual, expected) => add(actual === expected, what, actual, expected),
    close: (what, actual, expected, tolerance) =>
      add(isNumeric(actual) && Math.abs(Number(actual) - expected) <= tolerance, what, actual, expected),
    count: () => count,
    differences,
  }
}

const isNumeric = (value: unknown) => typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
