import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { inScope, scope, TAGS } from './test-scope.ts'
import { components, pictures } from './web/component-tests.ts'

/** Stand in for a browser, or start processes and end them: these files have a process each. */
const APART = [
  'bench/**/*.test.ts',
  'web/**/*.test.ts',
  'server/test/*.test.ts',
  'server/src/*.test.ts',
  'server/src/{audio,backups,demo-pool,imports,platform}/**/*.test.ts',
]
/** Ask a pool, or compute, and leave nothing behind: these share processes, which load and warm the server once. */
const TOGETHER = ['contract/**/*.test.ts', 'demo/**/*.test.ts', 'server/**/*.test.ts']

/** A busy machine takes many times as long: only what hangs is to end here. */
const PATIENCE = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // What is waited for comes late on a busy machine; that it comes is the test.
  expect: { poll: { timeout: 60_000, interval: 20 } },
}

/** The long files are among those that run apart; the short ones after them leave no core idle at the end. */
class ApartFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isApart = ({ project }: TestSpecification) => project.name === 'apart'
    return [...sorted.filter(isApart), ...sorted.filter((file) => !isApart(file))]
  }
}

/** Components belong to the quick run; pictures of whole screens to the long one. */
const browserProjects = [...(scope === 'long' ? [] : [components]), ...(scope === 'quick' ? [] : [pictures])]

export default defineConfig({
  test: {
    tags: TAGS,
    globalSetup: ['server/test/global-setup.ts'],
    sequence: { sequencer: ApartFirst },
    projects: [
      ...browserProjects,
      { test: { ...PATIENCE, name: 'apart', ...inScope(APART) } },
      {
        test: {
          ...PATIENCE,
          name: 'together',
          ...inScope(TOGETHER, APART),
          isolate: false,
          setupFiles: ['server/test/shared-process.ts'],
        },
      },
    ],
    maxWorkers: 2,
  },
})
