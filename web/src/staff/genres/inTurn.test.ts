import { expect, test, vi } from 'vitest'
import { inTurn } from './inTurn.ts'

const toastError = vi.hoisted(() => vi.fn())
vi.mock('../../ui/toast.ts', () => ({ toastError }))

/** Longer than a busy machine takes: the test checks that it happens, not how soon. */
const WITHIN = { timeout: 20_000 }

/** A server that responds on command. */
function slowServer() {
  const log: string[] = []
  const answers: (() => void)[] = []
  const tell = inTurn(async () => void log.push('reloads'))
  const move = (name: string) =>
    tell(() => {
      log.push(name)
      return new Promise<void>((resolve) => answers.push(resolve))
    }, `${name} was not moved`)
  return { log, move, tell, answer: () => vi.waitFor(() => answers.shift()!(), WITHIN) }
}

test('sends moves to the server one after the other, and reloads once all are sent', async () => {
  const { log, move, answer } = slowServer()
  const told = [move('first'), move('second')]
  await vi.waitFor(() => expect(log).toEqual(['first']), WITHIN)
  await answer()
  await told[0]
  expect(log).toEqual(['first', 'second'])
  await answer()
  await told[1]
  expect(log).toEqual(['first', 'second', 'reloads'])
})

test('reports a rejected move and still sends those after it', async () => {
  const { log, move, tell, answer } = slowServer()
  const refusal = new Error('It was changed in the meantime.')
  const refused = tell(() => Promise.reject(refusal), 'It was not moved')
  const told = move('second')
  await refused
  expect(toastError).toHaveBeenCalledWith('It was not moved', refusal)
  await answer()
  await told
  expect(log).toEqual(['second', 'reloads'])
})
