import fc from 'fast-check'

/** fast-check's own default. */
const DEFAULT_RUN_COUNT = 100

/** The number of cases as a percentage of the usual one: `npm test` tries few, `npm run test:all` many. */
const percent = Number(process.env.PROPERTY_CASES ?? 100)

/** How many cases to try where `usual` is the right number for a test of its own. */
export const runCount = (defaults = DEFAULT_RUN_COUNT): number => Math.max(1, Math.round((defaults * percent) / 100))

/**
 * fast-check with the same cases in every run, so that a change is judged by itself and not by chance. `SEED=7 npm test --
 * unit` tries others; a case that breaks a rule is then written down as a test of its own. A test with such cases has the
 * tag "property": `npx vitest run --tags-filter=property` runs those alone.
 */
fc.configureGlobal({ seed: Number(process.env.SEED ?? 20_261_122), numRuns: runCount() })

export { fc }
