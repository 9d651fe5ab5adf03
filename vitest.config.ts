import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { HEAVY, inScope, LONG, ofKind, scope, TAGS } from './test-scope.ts'
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

/** Components belong to the quick run; pictures of whole screens to the long one. */
const browserProjects = [...(scope === 'long' ? [] : [componentTests]), ...(scope === 'quick' ? [] : [screenshotTests])]

const MOST_WORKERS = 2

const server: TestProjectInlineConfiguration['test'] = {
  ...PATIENCE,
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

const nodeProjects =
  scope === 'long'
    ? [{ ...server, name: 'long', include: [...ofKind(SERVER, LONG), ...ofKind(SERVER, HEAVY)] }]
    : [{ ...server, ...inScope(SERVER), name: 'server' }, web]

export default defineConfig({
  test: {
    tags: TAGS,
    projects: [...browserProjects, ...nodeProjects.map((test) => ({ test }))],
    maxWorkers: MOST_WORKERS,
  },
})
