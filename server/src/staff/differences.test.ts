import { expect, test } from 'vitest'
import { diffChanges } from './differences.ts'

test.each([
  [{ group_id: 2 }, { group_id: 3 }, [{ field: 'group_id', before: '2', after: '3' }]],
  [null, { amount: { price: '9.00' } }, [{ field: 'amount.price', before: null, after: '9.00' }]],
  [{ staff_role: null }, { staff_role: 'admin' }, [{ field: 'staff_role', before: 'none', after: 'admin' }]],
  [
    { published: false, title: 'A' },
    { published: true, title: 'A' },
    [{ field: 'published', before: 'no', after: 'yes' }],
  ],
  [{ genres: [1, 2] }, { genres: [] }, [{ field: 'genres', before: '1, 2', after: 'none' }]],
  [
    { from: { day: 1 } },
    { from: null },
    [
      { field: 'from.day', before: '1', after: null },
      { field: 'from', before: null, after: 'none' },
    ],
  ],
  [{ songs: [{ id: 1 }] }, null, [{ field: 'songs.0.id', before: '1', after: null }]],
  ['old', 'new', [{ field: 'value', before: 'old', after: 'new' }]],
  [{ text: '' }, { text: 'x' }, [{ field: 'text', before: 'nothing', after: 'x' }]],
  [{ same: [1] }, { same: [1] }, []],
  [null, null, []],
])('compares %j with %j', (before, after, changes) => {
  expect(diffChanges(before, after)).toEqual(changes)
})
