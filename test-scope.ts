import { configDefaults } from 'vitest/config'

/**
 * What a run of Vitest includes. TEST_SCOPE=quick (`npm test`) leaves two kinds of files out, and TEST_SCOPE=long (`npm run
 * test:all`) runs nothing else. Without TEST_SCOPE everything is included, so that `npx vitest run killed` finds its file.
 */

/** Seconds of CPU: many analysed sounds, whole folders, backups. */
export const HEAVY = '.heavy.test.ts'
/** Starts, kills or builds several processes. */
export const LONG = '.long.test.ts'

export const scope = process.env.TEST_SCOPE

/** `include` and `exclude` of a project, without heavy and long files in the quick scope. */
export const inScope = (include: string[]): { include: string[]; exclude: string[] } => ({
  include,
  exclude: [...configDefaults.exclude, ...(scope === 'quick' ? [`**/*${HEAVY}`, `**/*${LONG}`] : [])],
})

/** The patterns for one of the two kinds. */
export const ofKind = (include: string[], kind: typeof HEAVY | typeof LONG): string[] =>
  include.map((pattern) => pattern.replace('.test.ts', kind))

export const TAGS = [{ name: 'property', description: 'Tries many generated cases; PROPERTY_CASES says how many.' }]
