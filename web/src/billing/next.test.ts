import { expect, test } from 'vitest'
import { nextStepOf } from './checkoutNextStep.ts'

test('a payment goes on at the provider where there is an address', () => {
  const url = 'https://provider.example/pay'
  expect(nextStepOf({ status: true, profile_id: 7, url })).toEqual({ is: 'elsewhere', url })
})

test('a payment that was taken goes to the screen that says so', () => {
  expect(nextStepOf({ status: true, profile_id: 7, url: null })).toEqual({
    is: 'here',
    href: '/subscription/success/7',
  })
})

test('a payment that was not taken, or is nobody’s, has failed', () => {
  const failed = { is: 'here', href: '/subscription/failed' }
  expect(nextStepOf({ status: false, profile_id: 7, url: null })).toEqual(failed)
  expect(nextStepOf({ status: true, profile_id: null, url: null })).toEqual(failed)
})
