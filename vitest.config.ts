import { defineConfig } from 'vitest/config'
import { inScope, scope, TAGS } from './test-scope.ts'
import { components, pictures } from './web/component-tests.ts'

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
const browserProjects = [...(scope === 'long' ? [] : [components]), ...(scope === 'quick' ? [] : [pictures])]

export default defineConfig({
  test: {
    tags: TAGS,
    projects: [
      ...browserProjects,
      {
        test: {
          ...PATIENCE,
          name: 'server',
          ...inScope(SERVER),
          isolate: false,
          globalSetup: ['server/test/global-setup.ts'],
          setupFiles: ['server/test/shared-process.ts'],
        },
      },
      {
        test: {
          ...PATIENCE,
          name: 'web',
          ...inScope(WEB),
          isolate: false,
          setupFiles: ['server/test/shared-process.ts', 'web/test/new-modules.ts'],
        },
      },
    ],
    // Long tests start several processes each: side by side they would only wait for each other.
    maxWorkers: scope === 'long' ? 1 : 2,
  },
})
