import { configDefaults } from 'vitest/config'

/**
 * What a run of Vitest includes. TEST_SCOPE=quick (`npm test`) leaves two kinds of files out, and TEST_SCOPE=long (`npm run
 * test:all`) runs nothing else. Without TEST_SCOPE everything is included, so that `npx vitest run killed` finds its file.
 */

/** More than 0.2 s for each test of the server, or 0.5 s for each test of a component: sounds, thousands of rows, whole screens. */
export const HEAVY = 'heavy'
/** Starts, kills or builds several processes. */
export const LONG = 'long'

type Kind = typeof HEAVY | typeof LONG

export const scope = process.env.TEST_SCOPE

/** The patterns for one of the two kinds. Patterns end with `.test.ts` or `.test.tsx`. */
export const ofKind = (include: string[], kind: Kind): string[] =>
  include.map((pattern) => pattern.replace('.test.', `.${kind}.test.`))

/** `include` and `exclude` of a project in this scope. */
export function inScope(include: string[]): { include: string[]; exclude: string[] } {
  const slow = [...ofKind(include, HEAVY), ...ofKind(include, LONG)]
  if (scope === 'long') return { include: slow, exclude: configDefaults.exclude }
  return { include, exclude: [...configDefaults.exclude, ...(scope === 'quick' ? slow : [])] }
}

export const TAGS = [{ name: 'property', description: 'Tries many generated cases; PROPERTY_CASES says how many.' }]
