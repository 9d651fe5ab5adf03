import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../test/openApp.tsx'
import { lazyOnDemand, lazyOptional } from './lazyOnDemand.tsx'

const Part = () => <p>The part</p>
const loadSecondTime = () =>
  vi.fn<() => Promise<typeof Part>>().mockRejectedValueOnce(new Error('offline')).mockResolvedValue(Part)
const error = page.getByText('Couldn’t load this part of the page')

test('reports that the code of a part could not be loaded, and tries again when it is shown the next time', async () => {
  const load = loadSecondTime()
  const Late = lazyOnDemand(load)
  render(<Late />)
  await expect.element(error).toBeVisible()
  expect(load).toHaveBeenCalledTimes(1)
  render(<Late />)
  await expect.element(page.getByText('The part')).toBeVisible()
  expect(load).toHaveBeenCalledTimes(2)
})

test('leaves an optional part out without an error', async () => {
  const load = loadSecondTime()
  const Late = lazyOptional(load)
  render(
    <>
      <p>The screen</p>
      <Late />
    </>,
  )
  await expect.poll(() => load.mock.settledResults.map(({ type }) => type)).toEqual(['rejected'])
  await expect.element(page.getByText('The screen')).toBeVisible()
  await expect.element(error).not.toBeInTheDocument()
})
