import { expect, test } from 'vitest'
import { outputSize } from './cropPicture.ts'

test('sends a cropped picture with at most 1024 px, and never enlarges it', () => {
  expect(outputSize({ width: 3000, height: 3000 })).toBe(1024)
  expect(outputSize({ width: 300.4, height: 300.4 })).toBe(300)
  expect(outputSize({ width: 0.2, height: 0.2 })).toBe(1)
})
