import { expect, test } from 'vitest'
import { browserSystem } from './places.ts'

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36', 'windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15', 'macos'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'linux'],
])('recognises the system of %s as %s', (userAgent, system) => {
  expect(browserSystem(userAgent)).toBe(system)
})
