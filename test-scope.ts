import { configDefaults } from 'vitest/config'

/**
 * What a run of Vitest includes. A file that is killed, restarted, built or deployed for minutes is named `*.long.test.ts`:
 * TEST_SCOPE=quick (`npm test`) leaves these out, TEST_SCOPE=long (`npm run test:all`) runs nothing else. Without TEST_SCOPE
 * everything is included, so that `npx vitest run killed` finds its file.
 */
const LONG = '**/*.long.test.ts'

export const scope = process.env.TEST_SCOPE

/** `include` and `exclude` of a project whose files match these patterns. */
export const inScope = (include: string[], exclude: string[] = []): { include: string[]; exclude: string[] } => ({
  include: scope === 'long' ? include.map((pattern) => pattern.replace('*.test.ts', '*.long.test.ts')) : include,
  exclude: [...configDefaults.exclude, ...exclude, ...(scope === 'quick' ? [LONG] : [])],
})

export const TAGS = [{ name: 'property', description: 'Tries many generated cases; PROPERTY_CASES says how many.' }]
