import { expect, test, vi } from 'vitest'
import { inTurn } from './inTurn.ts'

const toastError = vi.hoisted(() => vi.fn())
vi.mock('../ui/toast.ts', () => ({ toastError }))

/** Longer than a busy machine takes: that it comes is the test, not how soon. */
const WITHIN = { timeout: 20_000 }

/** A server that answers when it is told to. */
function slowServer() {
  const log: string[] = []
  const answers: (() => void)[] = []
  const tell = inTurn(async () => void log.push('asks anew'))
  const move = (name: string) =>
    tell(() => {
      log.push(name)
      return new Promise<void>((resolve) => answers.push(resolve))
    }, `${name} was not moved`)
  return { log, move, tell, answer: () => vi.waitFor(() => answers.shift()!(), WITHIN) }
}

test('moves reach the server one after the other, and what it has is asked for once all are told', async () => {
  const { log, move, answer } = slowServer()
  const told = [move('first'), move('second')]
  await vi.waitFor(() => expect(log).toEqual(['first']), WITHIN)
  await answer()
  await told[0]
  expect(log).toEqual(['first', 'second'])
  await answer()
  await told[1]
  expect(log).toEqual(['first', 'second', 'asks anew'])
})

test('a move that is refused is said, and those behind it are told all the same', async () => {
  const { log, move, tell, answer } = slowServer()
  const refusal = new Error('It was changed meanwhile.')
  const refused = tell(() => Promise.reject(refusal), 'It was not moved')
  const told = move('second')
  await refused
  expect(toastError).toHaveBeenCalledWith('It was not moved', refusal)
  await answer()
  await told
  expect(log).toEqual(['second', 'asks anew'])
})
