import { expect, test } from 'vitest'
import { billingOrderInput, nextBillingSort } from './billingOrder.ts'

test('cycles a heading through largest first, smallest first and unsorted', () => {
  const first = nextBillingSort({}, 'amount')
  expect(first).toEqual({ order: 'amount', dir: 'DESC' })
  const second = nextBillingSort(first, 'amount')
  expect(second).toEqual({ order: 'amount', dir: 'ASC' })
  expect(nextBillingSort(second, 'amount')).toEqual({})
})

test('starts with the first order when another heading is chosen', () => {
  expect(nextBillingSort({ order: 'amount', dir: 'ASC' }, 'payment_date')).toEqual({
    order: 'payment_date',
    dir: 'DESC',
  })
})

test('shows the newest entry first when unsorted', () => {
  expect(billingOrderInput({})).toEqual({ order: 'history_id', orderDir: 'DESC' })
  expect(billingOrderInput({ order: 'amount', dir: 'ASC' })).toEqual({ order: 'amount', orderDir: 'ASC' })
  expect(billingOrderInput({ order: 'amount' })).toEqual({ order: 'amount', orderDir: 'DESC' })
})
