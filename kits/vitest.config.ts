import { defineConfig } from 'vitest/config'
import { KitReporter } from './reporter.ts'

/** `npm run check:kits`. Not a part of `npm test`, because Mixxx needs about 200 MB of packages. */
export default defineConfig({
  test: {
    include: ['kits/*.check.ts'],
    globalSetup: ['server/test/global-setup.ts'],
    reporters: [new KitReporter()],
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
})
