import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../test/openApp.tsx'
import { useAction } from './useAction.ts'

/** Ends the action that is running. */
let finish: (() => void) | undefined

const action = (number: number) =>
  new Promise<void>((resolve) => {
    started.push(number)
    finish = resolve
  })

const started: number[] = []

function Buttons() {
  const [run, isBusy] = useAction(action)
  return (
    <>
      <button type="button" onClick={() => run(1)}>
        First
      </button>
      <button type="button" onClick={() => run(2)}>
        Second
      </button>
      <output>{isBusy ? 'busy' : 'idle'}</output>
    </>
  )
}

test('runs one action at a time', async () => {
  render(<Buttons />)
  const state = page.getByRole('status').first()
  await page.getByRole('button', { name: 'First' }).click()
  await expect.element(state).toHaveTextContent('busy')
  await page.getByRole('button', { name: 'Second' }).click()
  finish?.()
  await expect.element(state).toHaveTextContent('idle')
  await page.getByRole('button', { name: 'Second' }).click()
  expect(started).toEqual([1, 2])
})
