import fc from 'fast-check'

/** fast-check's own default. */
const DEFAULT_RUN_COUNT = 100

/** The number of cases as a percentage of the usual one: `npm test` runs few, `npm run test:all` many. */
const percent = Number(process.env.PROPERTY_CASES ?? 100)

/** The number of cases for a test with its own default. */
export const runCount = (defaults = DEFAULT_RUN_COUNT): number => Math.max(1, Math.round((defaults * percent) / 100))

/**
 * fast-check with the same cases in every run, so that results do not depend on chance. `SEED=7 npm test -- unit` uses
 * others; a case that fails is then added as a separate test. A test with such cases has the tag "property": `npx
 * vitest run --tags-filter=property` runs only those.
 */
fc.configureGlobal({ seed: Number(process.env.SEED ?? 20_261_122), numRuns: runCount() })

export { fc }
