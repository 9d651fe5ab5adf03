import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { inScope, scope, TAGS } from './test-scope.ts'
import { componentTests, screenshotTests } from './web/component-tests.ts'

/** A busy machine takes many times as long: only what hangs is to end here. */
const PATIENCE = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // What is waited for comes late on a busy machine; that it comes is the test.
  expect: { poll: { timeout: 60_000, interval: 20 } },
}

/** They share processes, each of which loads the server once. */
const SERVER = ['bench/**/*.test.ts', 'contract/**/*.test.ts', 'demo/**/*.test.ts', 'server/**/*.test.ts']
/** Modules of the screens, without a browser. They share processes too, and load the modules again for each file. */
const WEB = ['web/**/*.test.ts']

/** Pictures of whole screens belong to the long run. */
const browserProjects = [componentTests, ...(scope === 'quick' ? [] : [screenshotTests])]

/** The server tests of more workers at once have not been tried. */
const MOST_WORKERS = 6
/** One core is left for the page of the component tests and for PostgreSQL, but not on two cores. */
const WORKERS = Math.min(MOST_WORKERS, Math.max(2, availableParallelism() - 1))

const server: TestProjectInlineConfiguration['test'] = {
  ...PATIENCE,
  ...inScope(SERVER),
  name: 'server',
  isolate: false,
  globalSetup: ['server/test/global-setup.ts'],
  setupFiles: ['server/test/shared-process.ts'],
}

const web: TestProjectInlineConfiguration['test'] = {
  ...PATIENCE,
  ...inScope(WEB),
  name: 'web',
  isolate: false,
  setupFiles: ['server/test/shared-process.ts', 'web/test/new-modules.ts'],
}

export default defineConfig({
  test: {
    tags: TAGS,
    projects: [...browserProjects, { test: server }, { test: web }],
    maxWorkers: WORKERS,
  },
})
