import type { OnUndeclaredCode } from '../src/platform/serve.ts'

/**
 * Fails a test file in which an endpoint returned an error code that the contract does not declare for it: the endpoint
 * returns 500, and `check`, called when the pool is closed, throws in case the test accepted that reply.
 */
export function collectUndeclaredCodes(): { report: OnUndeclaredCode; check(): void } {
  const found = new Set<string>()
  const describeAll = () => `The contract does not declare these error codes: ${[...found].sort().join(', ')}`
  return {
    report: ({ path }, code) => {
      found.add(`${code} of ${path}`)
      throw new Error(describeAll())
    },
    check: () => {
      if (found.size > 0) throw new Error(describeAll())
    },
  }
}
