import { createHash } from 'node:crypto'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** A busy machine takes many times as long: only what hangs is to end here. */
const PATIENCE = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // What is waited for comes late on a busy machine; that it comes is the test.
  expect: { poll: { timeout: 60_000, interval: 20 } },
}

/** Files that need a process of their own, because they change what cannot be restored. */
const ISOLATED: string[] = []
/** Stand in for a browser: they load the modules of the screens again for each file. */
const WEB = ['web/**/*.test.ts']
/** Share a process, which loads and warms up the server once. */
const SHARED = ['bench/**/*.test.ts', 'contract/**/*.test.ts', 'demo/**/*.test.ts', 'server/**/*.test.ts']

/** A process can be shared by files of one project only as long as they follow each other. */
const ORDER = ['components', 'isolated', 'server', 'web']

/** In the order above; within a project the longest first, or shuffled for `--sequence.shuffle.files`. */
class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence
    const isShuffled = typeof shuffle === 'object' ? shuffle.files : shuffle
    const place = ({ moduleId }: TestSpecification) => createHash('sha256').update(`${seed} ${moduleId}`).digest('hex')
    const sorted = isShuffled ? files.toSorted((a, b) => place(a).localeCompare(place(b))) : await super.sort(files)
    return ORDER.flatMap((name) => sorted.filter(({ project }) => project.name === name))
  }
}

export default defineConfig({
  test: {
    globalSetup: ['server/test/global-setup.ts'],
    sequence: { sequencer: ByProject },
    projects: [
      './web/vitest.config.ts',
      { test: { ...PATIENCE, name: 'isolated', include: ISOLATED } },
      {
        test: {
          ...PATIENCE,
          name: 'server',
          include: SHARED,
          exclude: [...configDefaults.exclude, ...ISOLATED],
          isolate: false,
          setupFiles: ['server/test/shared-process.ts', ...(process.env.MEASURE ? ['/tmp/sp/measure.ts'] : [])],
        },
      },
      {
        test: {
          ...PATIENCE,
          name: 'web',
          include: WEB,
          exclude: [...configDefaults.exclude, ...ISOLATED],
          isolate: false,
          setupFiles: [
            'server/test/shared-process.ts',
            'web/test/new-modules.ts',
            ...(process.env.MEASURE ? ['/tmp/sp/measure.ts'] : []),
          ],
        },
      },
    ],
    maxWorkers: 2,
  },
})
