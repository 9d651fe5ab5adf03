import { expect, test } from 'vitest'
import { createLimiter } from './concurrency-limiter.ts'

/** Work that ends when told to. */
function pieces(gate: ReturnType<typeof createLimiter>) {
  const begun: number[] = []
  const ends: (() => void)[] = []
  const begin = (n: number) =>
    gate.pass(async () => {
      begun.push(n)
      await new Promise<void>((end) => ends.push(end))
      return n
    })
  return { begun, begin, endNext: () => ends.shift()?.() }
}

const publish = () => new Promise((passed) => setImmediate(passed))

test('so many work at once, the others wait in the order they came', async () => {
  const { begun, begin, endNext } = pieces(createLimiter({ concurrency: 2, maxWaiting: 10 }))
  const all = [1, 2, 3, 4].map(begin)
  await publish()
  expect(begun).toEqual([1, 2])
  endNext()
  await publish()
  expect(begun).toEqual([1, 2, 3])
  endNext()
  endNext()
  await publish()
  endNext()
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4])
})

test('one more than may wait is told to come back; who comes after somebody left waits and does not slip in', async () => {
  const { begun, begin, endNext } = pieces(createLimiter({ concurrency: 1, maxWaiting: 1 }))
  const [first, second] = [begin(1), begin(2)]
  await expect(begin(3)).rejects.toMatchObject({ code: 'service_unavailable', status: 503 })
  endNext()
  await first
  await publish()
  const fourth = begin(4)
  await publish()
  expect(begun).toEqual([1, 2])
  endNext()
  await second
  await publish()
  endNext()
  expect(await fourth).toBe(4)
})

test('work that fails leaves its place', async () => {
  const gate = createLimiter({ concurrency: 1, maxWaiting: 0 })
  await expect(gate.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await gate.pass(async () => 'yes')).toBe('yes')
})
