import { expect, test } from 'vitest'
import { nextStepOf } from './checkoutNextStep.ts'

test('continues at the provider when there is a URL', () => {
  const url = 'https://provider.example/pay'
  expect(nextStepOf({ status: true, profile_id: 7, url })).toEqual({ is: 'elsewhere', url })
})

test('continues on the success screen after a completed payment', () => {
  expect(nextStepOf({ status: true, profile_id: 7, url: null })).toEqual({
    is: 'here',
    href: '/subscription/success/7',
  })
})

test('continues on the failure screen when a payment was not completed or has no subscription', () => {
  const failed = { is: 'here', href: '/subscription/failed' }
  expect(nextStepOf({ status: false, profile_id: 7, url: null })).toEqual(failed)
  expect(nextStepOf({ status: true, profile_id: null, url: null })).toEqual(failed)
})
