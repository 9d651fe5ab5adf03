import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineProject } from 'vitest/config'
// @ts-expect-error: a script without types
import { findInstalledBrowser } from '../scripts/browser.mjs'
import { contractInShort } from './contract-in-short.ts'
import { testMedia } from './test/media.ts'

const path = (file: string) => new URL(file, import.meta.url).pathname

/** Component tests: parts of the screens, or the whole app with a fake API, in one page of a real browser. */
export default defineProject({
  root: path('.'),
  plugins: [contractInShort(), react(), testMedia()],
  resolve: {
    alias: [
      { find: 'tus-js-client', replacement: 'tus-js-client/lib/browser/index.js' },
      { find: /^zustand$/, replacement: path('./test/zustand.ts') },
    ],
  },
  // Found before the first test: a package that is found later has Vite load the page again in the middle of one.
  optimizeDeps: { entries: ['src/main.tsx', '{src,test}/**/*.test.tsx', 'test/setup.ts'] },
  test: {
    name: 'components',
    include: ['src/**/*.test.tsx', 'test/**/*.test.tsx'],
    setupFiles: ['./test/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      fileParallelism: false,
      isolate: false,
      provider: playwright({
        launchOptions: {
          executablePath: findInstalledBrowser(),
          args: ['--no-sandbox', '--disable-gpu', '--mute-audio'],
        },
      }),
      instances: [{ browser: 'chromium', viewport: { width: 1440, height: 900 } }],
    },
  },
})
