// The Vitest projects that run in a browser: component tests, and screenshot tests of whole screens.
import { playwright } from '@vitest/browser-playwright'
import type { TestProjectInlineConfiguration } from 'vitest/config'
import { findInstalledBrowser } from '../scripts/browser.mjs'
import { inScope } from '../test-scope.ts'
import { slimContract } from './contract-in-short.ts'
import { testMedia } from './test/media.ts'

const path = (file: string) => new URL(file, import.meta.url).pathname

const DESKTOP = { width: 1440, height: 900 }

type ReactBuild = 'development' | 'production'

type Options = {
  name: string
  include: string[]
  exclude?: string[]
  deviceScaleFactor: number
  react: ReactBuild
}

const jsxOf = (react: ReactBuild) => ({ runtime: 'automatic' as const, development: react === 'development' })

/** All files of a project share one page of one browser. */
const browserProject = ({ deviceScaleFactor, react, ...files }: Options): TestProjectInlineConfiguration => ({
  root: path('.'),
  // Not in this folder: its modification time would change, and the screens would be built again (scripts/run.mjs).
  cacheDir: path('../node_modules/.vite'),
  plugins: [slimContract(), testMedia()],
  oxc: { jsx: jsxOf(react) },
  resolve: {
    alias: [
      { find: 'tus-js-client', replacement: 'tus-js-client/lib/browser/index.js' },
      { find: /^zustand$/, replacement: path('./test/zustand.ts') },
    ],
  },
  optimizeDeps: {
    // Vite must find all packages before the first test: if it finds one later, it reloads the page, and the tests after
    // that fail. Workers are listed because Vite does not follow `new Worker`.
    entries: ['src/main.tsx', 'src/**/*Worker.ts', '{src,test}/**/*.test.tsx', 'test/setup.ts'],
    rolldownOptions: {
      transform: { jsx: jsxOf(react), define: { 'process.env.NODE_ENV': JSON.stringify(react) } },
    },
  },
  test: {
    ...files,
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
      expect: {
        toMatchScreenshot: {
          resolveScreenshotPath: ({ arg, ext, root }) => `${root}/test/pictures/${arg}${ext}`,
          resolveDiffPath: ({ arg, ext, root }) => `${root}/test/pictures/failed/${arg}${ext}`,
          // Other browser versions may smooth text differently; a part that moved changes far more pixels.
          comparatorOptions: { threshold: 0.2, allowedMismatchedPixelRatio: 0.01 },
        },
      },
      provider: playwright({
        launchOptions: {
          executablePath: findInstalledBrowser(),
          args: ['--no-sandbox', '--disable-gpu', '--mute-audio'],
        },
        // The window around the page under test: in a smaller one, Vitest would scale the page down.
        contextOptions: { viewport: DESKTOP, deviceScaleFactor },
      }),
      instances: [{ browser: 'chromium', viewport: DESKTOP }],
    },
  },
})

/** Tests of components or the whole app, with a fake API and React as members get it, which needs less CPU time. */
export const componentTests = browserProject({
  name: 'components',
  ...inScope(['src/**/*.test.tsx', 'test/*.test.tsx']),
  deviceScaleFactor: 1,
  react: 'production',
})

/**
 * Compares key screens with stored screenshots. Half size is enough to show a broken layout and keeps the files small.
 * They use React’s development build, and its warnings fail them.
 */
export const screenshotTests = browserProject({
  name: 'pictures',
  include: ['test/pictures/*.test.tsx'],
  deviceScaleFactor: 0.5,
  react: 'development',
})
