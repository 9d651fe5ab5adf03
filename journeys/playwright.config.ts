import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'

/** Nothing here makes the browser milder than a person's: no autoplay flag, a click is what lets sound begin. */
const BROWSER_ARGS = [
  '--no-sandbox',
  '--mute-audio',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const MOST_WORKERS = 2

export default defineConfig({
  testDir: '.',
  testMatch: '*.story.ts',
  outputDir: 'results',
  globalSetup: './pool.ts',
  workers: Math.min(MOST_WORKERS, availableParallelism()),
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en',
    // A kept shell would answer in place of the server; the story about it lets it in.
    serviceWorkers: 'block',
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: process.env.CHROMIUM || undefined, args: BROWSER_ARGS },
  },
})
