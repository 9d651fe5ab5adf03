import { expect, test } from 'vitest'
import { isAboveZero, minus, money, plus, toDecimalString, toMinorUnits } from './money.ts'

test('formats money with its currency and two decimals in the reader’s locale', () => {
  expect(money('19.99', 'USD', 'en-US')).toBe('$19.99')
  expect(money('19', 'USD', 'en-US')).toBe('$19.00')
  expect(money('1234.50', 'EUR', 'de-DE').replace(/\s/g, ' ')).toBe('1.234,50 €')
  expect(money('5.00', 'USD', 'en-GB')).toBe('US$5.00')
  expect(money('-3.20', 'USD', 'en-US')).toBe('-$3.20')
})

test('formats amounts exactly that no floating-point number can represent', () => {
  expect(money('90071992547409.93', 'USD', 'en-US')).toBe('$90,071,992,547,409.93')
})

test('adds amounts to the cent', () => {
  expect(plus('0.10', '0.20')).toBe('0.30')
  expect(plus('19.99', '0.01')).toBe('20.00')
  expect(minus('19.99', '4.00')).toBe('15.99')
  expect(minus('1.00', '1.05')).toBe('-0.05')
})

test('converts decimal text to cents and back', () => {
  expect(toMinorUnits('19.99')).toBe(1999)
  expect(toMinorUnits('19.9')).toBe(1990)
  expect(toMinorUnits('0')).toBe(0)
  expect(toMinorUnits('-0.05')).toBe(-5)
  for (const amount of ['0.00', '0.05', '19.99', '-4.10']) expect(toDecimalString(toMinorUnits(amount))).toBe(amount)
})

test('throws for text that is not an amount', () => {
  for (const text of ['', '1.999', '1,99', 'free']) expect(() => toMinorUnits(text)).toThrow('Invalid amount')
})

test('treats a free trial as no trial price', () => {
  expect(isAboveZero('0.00')).toBe(false)
  expect(isAboveZero('0.01')).toBe(true)
})
