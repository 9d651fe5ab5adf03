import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'
import type * as richText from './RichText.tsx'

/** A second copy of the module, whose editor has not loaded yet; tests before this one may have loaded the first. */
const importSecondCopy = (): Promise<typeof richText> =>
  import(/* @vite-ignore */ `${new URL('./RichText.tsx', import.meta.url).pathname}?copy=${crypto.randomUUID()}`)

test('moves the focus from the plain field to the editor without a moment in which typed text is lost', async () => {
  const { RichText } = await importSecondCopy()
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  onTestFinished(() => {
    root.unmount()
    container.remove()
  })
  flushSync(() => root.render(<RichText label="Reply" value="" onChange={() => undefined} />))
  const plainField = container.querySelector('textarea')
  plainField?.focus()
  expect(document.activeElement).toBe(plainField)

  // Runs before any other task, such as a key press.
  const focusAfterSwap = new Promise<Element | null>((resolve) => {
    const observer = new MutationObserver(() => {
      if (container.contains(plainField)) return
      observer.disconnect()
      resolve(document.activeElement)
    })
    observer.observe(container, { childList: true, subtree: true })
  })
  const focused = await focusAfterSwap
  expect(focused?.getAttribute('role')).toBe('textbox')
  expect((focused as HTMLElement).isContentEditable).toBe(true)
})
