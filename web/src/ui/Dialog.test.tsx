import { useState } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../test/openApp.tsx'
import { Dialog } from './Dialog.tsx'

let close: () => void

function Opener() {
  const [isOpen, setOpen] = useState(false)
  close = () => setOpen(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {isOpen && (
        <Dialog title="Genres" onClose={close}>
          <input aria-label="Find" />
        </Dialog>
      )}
    </>
  )
}

test('returns the focus together with the removal of the dialog', async () => {
  render(<Opener />)
  const opener = page.getByRole('button', { name: 'Open' })
  await expect.element(opener).toBeVisible()
  ;(opener.element() as HTMLElement).focus()
  await opener.click()
  const find = page.getByLabelText('Find')
  await expect.element(find).toBeVisible()
  ;(find.element() as HTMLElement).focus()
  const focusedAfterwards = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('[role="dialog"]')) return
      observer.disconnect()
      resolve(document.activeElement)
    })
    observer.observe(document.body, { childList: true, subtree: true })
  })
  // As after a reply: React runs effects of a click at once, but those of other updates later.
  setTimeout(close)
  expect(await focusedAfterwards).toBe(opener.element())
})
