import { expect, test } from 'vitest'
import { billingOrderInput, nextBillingSort } from './billingOrder.ts'

test('a heading sorts from the largest, then from the smallest, then not at all', () => {
  const first = nextBillingSort({}, 'amount')
  expect(first).toEqual({ order: 'amount', dir: 'DESC' })
  const second = nextBillingSort(first, 'amount')
  expect(second).toEqual({ order: 'amount', dir: 'ASC' })
  expect(nextBillingSort(second, 'amount')).toEqual({})
})

test('another heading begins anew', () => {
  expect(nextBillingSort({ order: 'amount', dir: 'ASC' }, 'payment_date')).toEqual({
    order: 'payment_date',
    dir: 'DESC',
  })
})

test('without a sorting the newest entry comes first', () => {
  expect(billingOrderInput({})).toEqual({ order: 'history_id', orderDir: 'DESC' })
  expect(billingOrderInput({ order: 'amount', dir: 'ASC' })).toEqual({ order: 'amount', orderDir: 'ASC' })
  expect(billingOrderInput({ order: 'amount' })).toEqual({ order: 'amount', orderDir: 'DESC' })
})
