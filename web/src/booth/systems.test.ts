import { expect, test } from 'vitest'
import { systemOf } from './systems.ts'

test.each([
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15', 'macos'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0', 'windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Firefox/143.0', 'linux'],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0.0.0', 'windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 'macos'],
  ['', 'windows'],
])('finds the system of %s', (userAgent, system) => {
  expect(systemOf(userAgent)).toBe(system)
})
