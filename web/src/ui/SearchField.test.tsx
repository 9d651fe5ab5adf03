import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../test/openApp.tsx'
import { SearchField } from './SearchField.tsx'

const field = page.getByRole('searchbox', { name: 'Find' })
const onSearch = vi.fn<(text: string | undefined) => void>()
let setValue: (value: string) => void

/** A field whose value is set by the test, as by a page that takes a while. */
function Holder({ initial }: { initial: string }) {
  const [value, set] = useState(initial)
  setValue = set
  return (
    <>
      <SearchField label="Find" value={value} onSearch={onSearch} />
      <p>Results for “{value}”</p>
    </>
  )
}

test('keeps what is typed while an earlier search is on its way', async () => {
  onSearch.mockReset()
  render(<Holder initial="" />)
  await field.fill('roo')
  await expect.poll(() => onSearch.mock.calls).toEqual([['roo']])
  await field.fill('room')
  setValue('roo')
  await expect.poll(() => onSearch.mock.lastCall).toEqual(['room'])
  await expect.element(field).toHaveValue('room')
})

test('shows a search that is changed elsewhere, and does not search again', async () => {
  onSearch.mockReset()
  render(<Holder initial="" />)
  await field.fill('nothing')
  await expect.poll(() => onSearch.mock.calls).toEqual([['nothing']])
  setValue('nothing')
  await expect.element(page.getByText('Results for “nothing”')).toBeVisible()
  setValue('')
  await expect.element(field).toHaveValue('')
  await field.fill('room')
  await expect.poll(() => onSearch.mock.calls).toEqual([['nothing'], ['room']])
})
