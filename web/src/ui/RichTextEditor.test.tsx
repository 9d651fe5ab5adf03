import { type FormEvent, useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { press } from '../../test/locators.ts'
import { render } from '../../test/openApp.tsx'
import { RichText } from './RichText.tsx'
import type { Insertion } from './RichTextEditor.tsx'

const field = page.getByRole('textbox', { name: 'Reply', exact: true })
const toolbar = page.getByRole('toolbar', { name: 'Formatting' })
const tool = (name: string) => toolbar.getByRole('button', { name, exact: true })
const linkField = page.getByRole('textbox', { name: 'Link URL' })

let html = ''
const submit = vi.fn((event: FormEvent) => event.preventDefault())
const onFiles = vi.fn<(files: File[]) => void>()

function Form({ initial, insertion }: { initial: string; insertion: Insertion | undefined }) {
  const [value, setValue] = useState(initial)
  html = value
  return (
    <form onSubmit={submit}>
      <RichText
        label="Reply"
        value={value}
        onChange={setValue}
        placeholder="Write a reply"
        onFiles={onFiles}
        insertion={insertion}
      />
      <button type="button" onClick={() => setValue('')}>
        Clear
      </button>
    </form>
  )
}

async function open(initial = '', insertion?: Insertion) {
  render(<Form initial={initial} insertion={insertion} />)
  await expect.element(tool('Bold')).toBeVisible()
  await field.click()
}

const type = (text: string) => userEvent.keyboard(text)
const expectHtml = (expected: string) => expect.poll(() => html).toBe(expected)

function paste(data: Record<string, string>, files: File[] = []) {
  const clipboardData = new DataTransfer()
  for (const [format, text] of Object.entries(data)) clipboardData.setData(format, text)
  for (const file of files) clipboardData.items.add(file)
  document.activeElement?.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true }),
  )
}

beforeEach(() => {
  submit.mockClear()
  onFiles.mockClear()
})

test('formats with the buttons, which show the format at the caret', async () => {
  await open()
  await type('Hello ')
  await tool('Bold').click()
  await expect.element(tool('Bold')).toHaveAttribute('aria-pressed', 'true')
  await type('you')
  await tool('Bold').click()
  await tool('Italic').click()
  await type(' there')
  await expectHtml('<p>Hello <b>you</b><i> there</i></p>')
  await expect.element(tool('Bold')).toHaveAttribute('aria-pressed', 'false')
  await expect.element(tool('Italic')).toHaveAttribute('aria-pressed', 'true')
})

test.for([
  ['Bulleted list', '<ul><li>one</li><li>two</li></ul>'],
  ['Numbered list', '<ol><li>one</li><li>two</li></ol>'],
  ['Quote', '<blockquote><p>one</p><p>two</p></blockquote>'],
] as const)('makes a %s, and takes it back', async ([name, expected]) => {
  await open()
  await tool(name).click()
  await type('one{Enter}two')
  await expectHtml(expected)
  await expect.element(tool(name)).toHaveAttribute('aria-pressed', 'true')
  await tool(name).click()
  await expect.element(tool(name)).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(() => html).toContain('<p>two</p>')
})

test('formats with shortcuts, and ignores those of formats without a button', async () => {
  await open()
  await type('{Control>}b{/Control}a{Control>}b{/Control}{Control>}i{/Control}b{Control>}i{/Control}')
  await type('{Control>}u{/Control}c')
  await expect.poll(() => html).toMatch(/^<p><b>a<\/b><i>b<\/i>c(<br>)?<\/p>$/)
})

test('undoes and redoes, with buttons that say whether they can', async () => {
  await open()
  await expect.element(tool('Undo')).toHaveAttribute('aria-disabled', 'true')
  await type('one')
  await tool('Quote').click()
  await expectHtml('<blockquote><p>one</p></blockquote>')
  await tool('Undo').click()
  await expectHtml('<p>one</p>')
  await tool('Redo').click()
  await expectHtml('<blockquote><p>one</p></blockquote>')
  await type('{Control>}z{/Control}')
  await expectHtml('<p>one</p>')
})

test('links the selected text, and continues after it', async () => {
  await open('<p>rules</p>')
  await type('{Control>}a{/Control}{Control>}k{/Control}')
  await expect.element(linkField).toHaveFocus()
  await linkField.fill('javascript:alert(1)')
  await type('{Enter}')
  await expect.element(page.getByRole('alert')).toHaveTextContent('Enter a URL')
  await expect.element(linkField).toHaveAttribute('aria-invalid', 'true')
  expect(submit).not.toHaveBeenCalled()
  await linkField.fill('pool.example/rules')
  await type('{Enter}')
  await expectHtml('<p><a href="https://pool.example/rules">rules</a></p>')
  await expect.element(linkField).not.toBeInTheDocument()
  await expect.element(field).toHaveFocus()
  await type(' first')
  await expect.poll(() => field.element().textContent).toBe('rules first')
})

test('removes a link, and keeps its text', async () => {
  await open('<p><a href="https://pool.example">rules</a></p>')
  await type('{Control>}a{/Control}')
  await tool('Link').click()
  await expect.element(linkField).toHaveValue('https://pool.example')
  await press(page, 'Remove link')
  await expectHtml('<p>rules</p>')
})

test('closes the form for links with Escape', async () => {
  await open('<p>rules</p>')
  await tool('Link').click()
  await expect.element(tool('Link')).toHaveAttribute('aria-expanded', 'true')
  await type('{Escape}')
  await expect.element(linkField).not.toBeInTheDocument()
  await expect.element(field).toHaveFocus()
})

test('keeps the formats of pasted text, without anything that runs, loads or has a style', async () => {
  await open()
  paste({
    'text/plain': 'x',
    'text/html': `<h2 style="color:red">Title</h2><div>plain <span style="font-weight:700">bold</span>
      <font style="font-style:italic">slanted</font></div><img src="x" onerror="alert(1)"><script>alert(1)</script>
      <ul><li>one</li></ul><table><tr><td>a</td><td>b</td></tr></table><a href="javascript:alert(1)" onclick="x()">link</a>`,
  })
  await expect.poll(() => html).toContain('<b>Title</b>')
  expect(html).toContain('<b>bold</b>')
  expect(html).toContain('<i>slanted</i>')
  expect(html).toContain('<ul><li>one</li></ul>')
  expect(html).not.toMatch(/<(?!\/?(p|b|i|a|ul|li|br|div)[ >])|style|script|onerror|onclick/)
})

test('hands over files that are pasted without text', async () => {
  await open()
  const picture = new File(['x'], 'screenshot.png', { type: 'image/png' })
  paste({}, [picture])
  expect(onFiles).toHaveBeenCalledWith([picture])
  paste({ 'text/plain': 'words' }, [picture])
  await expectHtml('<p>words</p>')
  expect(onFiles).toHaveBeenCalledTimes(1)
})

test('sends its form with Ctrl Enter, and leaves Tab to the browser', async () => {
  const list = '<ul><li>one</li><li>two</li></ul>'
  await open(list)
  await type('{Control>}{Enter}{/Control}')
  expect(submit).toHaveBeenCalledTimes(1)
  await type('{Home}{Tab}')
  await expect.element(page.getByRole('button', { name: 'Clear' })).toHaveFocus()
  expect(html).toBe(list)
})

test('is one stop of the Tab key for all buttons, which the arrow keys reach', async () => {
  await open('<p>text</p>')
  await type('{Shift>}{Tab}{/Shift}')
  await expect.element(tool('Bold')).toHaveFocus()
  await type('{ArrowRight}')
  await expect.element(tool('Italic')).toHaveFocus()
  await type('{End}')
  await expect.element(tool('Redo')).toHaveFocus()
  await type('{ArrowRight}')
  await expect.element(tool('Bold')).toHaveFocus()
  await type('{ArrowLeft}{Tab}')
  await expect.element(field).toHaveFocus()
})

test('inserts content with its button, Ctrl / or / on an empty line', async () => {
  const answers = ['<p>Thank you</p>', undefined, undefined]
  const openChoice = vi.fn<Insertion['open']>((answer) => answer(answers.shift()))
  await open('', { label: 'Insert a saved reply', open: openChoice })
  await tool('Insert a saved reply').click()
  await expectHtml('<p>Thank you</p>')
  await type('{Control>}/{/Control}')
  expect(openChoice).toHaveBeenCalledTimes(2)
  await type(' and/or')
  expect(openChoice).toHaveBeenCalledTimes(2)
  await expectHtml('<p>Thank you and/or</p>')
  await type('{Enter}/')
  expect(openChoice).toHaveBeenCalledTimes(3)
  // Nothing was chosen: the character is typed.
  await expect.poll(() => html).toMatch(/^<p>Thank you and\/or<\/p><p>\/(<br>)?<\/p>$/)
})

test('shows its placeholder while it is empty, and takes a new value', async () => {
  await open('<p>text</p>')
  await expect.element(field).not.toHaveAttribute('data-placeholder')
  await press(page, 'Clear')
  await expect.element(field).toHaveAttribute('data-placeholder', 'Write a reply')
  expect(field.element().textContent).toBe('')
})

test('does not report a change when it is opened', async () => {
  const stored = '<p>a<br>b <strong>c</strong></p><ul><li>one</li></ul><pre>code</pre><blockquote>quote</blockquote>'
  await open(stored)
  expect(html).toBe(stored)
})
