import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { findInstalledBrowser } from '../scripts/browser.mjs'

/** The address bar of Chromium loads these pages for each window, which takes as much work as a small page of the site. */
const ADDRESS_BAR_PAGES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** Features that Playwright disables with the same flag, of which only the last one counts. */
const PLAYWRIGHT_DEFAULTS = [
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

/** Nothing here relaxes the browser: without an autoplay flag, only a click starts audio. */
const BROWSER_ARGS = [
  '--no-sandbox',
  // Software rendering of a GPU is slower than none.
  '--disable-gpu',
  '--mute-audio',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...PLAYWRIGHT_DEFAULTS, ...ADDRESS_BAR_PAGES].join()}`,
]

/** Tests wait about half of the time, so one worker more than there are cores is fastest. */
const MAX_WORKERS = 3

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.story.ts',
  outputDir: 'results',
  globalSetup: './pool.ts',
  workers: Math.min(MAX_WORKERS, availableParallelism() + 1),
  retries: 0,
  // Three browsers, a server that renders music and a database share the cores.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en',
    // The service worker would answer instead of the server; app.story.ts allows it.
    serviceWorkers: 'block',
    // Tracing takes a quarter of the time. TRACE=on keeps the traces of failed tests.
    trace: process.env.TRACE === 'on' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: findInstalledBrowser(), args: BROWSER_ARGS },
  },
})
