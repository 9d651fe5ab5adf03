import { defineConfig } from 'vitest/config'

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

export default defineConfig({
  test: {
    projects: [
      './web/vitest.config.ts',
      {
        test: {
          ...PATIENCE,
          name: 'server',
          include: SERVER,
          isolate: false,
          globalSetup: ['server/test/global-setup.ts'],
          setupFiles: ['server/test/shared-process.ts'],
        },
      },
      {
        test: {
          ...PATIENCE,
          name: 'web',
          include: WEB,
          isolate: false,
          setupFiles: ['server/test/shared-process.ts', 'web/test/new-modules.ts'],
        },
      },
    ],
    maxWorkers: 2,
  },
})
