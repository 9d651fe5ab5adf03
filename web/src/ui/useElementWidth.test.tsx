import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'
import { useElementWidth } from './useElementWidth.ts'

function Measured() {
  const { ref, width } = useElementWidth()
  return (
    <div ref={ref} style={{ width: '50%' }}>
      {width}
    </div>
  )
}

test('knows the width of an element before it is painted, and follows it', async () => {
  const container = document.createElement('div')
  container.style.width = '600px'
  document.body.append(container)
  const root = createRoot(container)
  onTestFinished(() => {
    root.unmount()
    container.remove()
  })
  flushSync(() => root.render(<Measured />))
  expect(container.textContent).toBe('300')
  container.style.width = '400px'
  await expect.poll(() => container.textContent).toBe('200')
})
