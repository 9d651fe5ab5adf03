import { maskitoTransform } from '@maskito/core'
import { expect, test } from 'vitest'
import { amountMask, pointed, wholeAmount } from './amountMask.ts'

test('accepts an amount with a point or a comma, and no third decimal', () => {
  const masked = (text: string) => maskitoTransform(text, amountMask)
  expect(masked('12.50')).toBe('12.50')
  expect(masked('12a')).toBe('12')
  expect(masked('12.505')).toBe('12.50')
  expect(masked('12345678')).toBe('1234567')
})

test('removes the currency and thousands separators from pasted text', () => {
  expect(pointed('€ 12,50')).toBe('12.50')
  expect(pointed('1.234,50')).toBe('1234.50')
  expect(pointed('1,234.50 USD')).toBe('1234.50')
})

test('completes the decimals of an amount when the field loses focus', () => {
  expect(wholeAmount('12.5')).toBe('12.50')
  expect(wholeAmount('12')).toBe('12.00')
  expect(wholeAmount('.5')).toBe('0.50')
  expect(wholeAmount('007.')).toBe('7.00')
  expect(wholeAmount('')).toBe('')
})
