import { expect, test } from 'vitest'
import { createLimiter } from './concurrency-limiter.ts'

/** Tasks that end when the test ends them. */
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

const flushPromises = () => new Promise((passed) => setImmediate(passed))

test('runs a limited number of tasks at once and queues the others in order', async () => {
  const { begun, begin, endNext } = pieces(createLimiter({ concurrency: 2, maxWaiting: 10 }))
  const all = [1, 2, 3, 4].map(begin)
  await flushPromises()
  expect(begun).toEqual([1, 2])
  endNext()
  await flushPromises()
  expect(begun).toEqual([1, 2, 3])
  endNext()
  endNext()
  await flushPromises()
  endNext()
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4])
})

test('rejects tasks when the queue is full; a new task does not overtake queued ones', async () => {
  const { begun, begin, endNext } = pieces(createLimiter({ concurrency: 1, maxWaiting: 1 }))
  const [first, second] = [begin(1), begin(2)]
  await expect(begin(3)).rejects.toMatchObject({ code: 'service_unavailable', status: 503 })
  endNext()
  await first
  await flushPromises()
  const fourth = begin(4)
  await flushPromises()
  expect(begun).toEqual([1, 2])
  endNext()
  await second
  await flushPromises()
  endNext()
  expect(await fourth).toBe(4)
})

test('a failed task frees its slot', async () => {
  const gate = createLimiter({ concurrency: 1, maxWaiting: 0 })
  await expect(gate.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await gate.pass(async () => 'yes')).toBe('yes')
})
