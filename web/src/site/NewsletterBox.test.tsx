import { newsletter } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { press } from '../../test/locators.ts'
import { render } from '../../test/openApp.tsx'
import { NewsletterBox } from './NewsletterBox.tsx'

const field = page.getByRole('textbox', { name: /^Newsletter/ })

test('keeps an email address that is rejected, and says where the email goes', async () => {
  render(<NewsletterBox />)
  await field.fill('nobody')
  await press(page, 'Subscribe')
  await expect.element(page.getByRole('alert')).toHaveTextContent('Enter a valid email address.')
  await expect.element(field).toHaveValue('nobody')
  await field.fill('reader@pool.test')
  await press(page, 'Subscribe')
  await expect.element(page.getByText('Check your email.')).toHaveTextContent('reader@pool.test')
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  await expect.element(field).toHaveValue('')
  expect(fakeApi.inputsOf(newsletter.subscribe)).toEqual([{ email: 'nobody' }, { email: 'reader@pool.test' }])
})
