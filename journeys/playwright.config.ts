import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
// @ts-expect-error: a script without types
import { findInstalledBrowser } from '../scripts/browser.mjs'

/** The browser's own address bar loads these in pages of its own, for each window anew: as much work as a small screen. */
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** What Playwright turns off: it says so with the same flag, of which the last one counts. */
const OFF_ANYHOW = [
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
]

/** Nothing here makes the browser milder than a person's: no autoplay flag, a click is what lets sound begin. */
const BROWSER_ARGS = [
  '--no-sandbox',
  // Where there is no graphics card its slow imitation would draw every frame.
  '--disable-gpu',
  '--mute-audio',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...OFF_ANYHOW, ...ADDRESS_BAR].join()}`,
]

/** A story waits for about half of its time: one more than there are cores is quickest. */
const MOST_WORKERS = 3

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.story.ts',
  outputDir: 'results',
  globalSetup: './pool.ts',
  workers: Math.min(MOST_WORKERS, availableParallelism() + 1),
  retries: 0,
  // Three browsers, a pool that makes its music and a database share what cores there are.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en',
    // A kept shell would answer in place of the server; the story about it lets it in.
    serviceWorkers: 'block',
    // A trace takes a quarter of the time: TRACE=on keeps those of the stories that fail.
    trace: process.env.TRACE === 'on' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: findInstalledBrowser(), args: BROWSER_ARGS },
  },
})
