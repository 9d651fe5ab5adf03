import { helpdesk } from '@dubplate/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { fakeUploads } from '../../test/fakeUploads.ts'
import { press } from '../../test/locators.ts'
import { openApp, reopenApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'

const form = page.getByRole('form', { name: 'Submit a ticket' })
const subject = form.getByLabelText('Subject')
const description = page.getByRole('textbox', { name: 'Description' })

beforeEach(fakeUploads)
afterEach(() => vi.unstubAllGlobals())

async function openHelpDesk() {
  fakeApi.reply(helpdesk.getDepartments, { departments: [{ id: 2, name: 'Downloads and player' }] })
  fakeApi.reply(helpdesk.getPriorities, { priorities: [{ id: 3, name: 'High' }] })
  signInAs(makeProfile())
  await openApp('/support/faqs')
}

test('names every blank field', async () => {
  await openHelpDesk()
  await expect.element(page.getByText('You have no tickets')).toBeVisible()
  await press(form, 'Submit ticket')
  for (const sentence of [
    'Please select the department',
    'Please select the priority',
    'Subject cannot be blank!',
    'Description cannot be blank!',
  ])
    await expect.element(form.getByText(sentence)).toBeVisible()
  expect(fakeApi.inputsOf(helpdesk.submitTicket)).toEqual([])
})

test('stores text and attachments until the ticket is submitted', async () => {
  fakeApi.reply(helpdesk.uploadAttachments, {
    UploadAttachmentsForm: { name: { attachments: ['stored-1.png'] } },
    attachments: [
      { ticket_file_id: 1, file_path: '/images/1', filename: 'grey.png', bytes: 4, type: 'image/png', is_image: true },
    ],
  })
  fakeApi.reply(helpdesk.submitTicket, { ticket_number: 41 })
  await openHelpDesk()
  await form.getByLabelText('Department').selectOptions('Downloads and player')
  await form.getByLabelText('Priority').selectOptions('High')
  await subject.fill('The waveform stays grey')
  await description.fill('It never turns green.')
  await form.getByLabelText('Files to attach').upload(new File(['grey'], 'grey.png', { type: 'image/png' }))
  await expect.element(form.getByText('grey.png')).toBeVisible()
  await expect.element(form.getByRole('progressbar', { name: 'Uploading grey.png' })).not.toBeInTheDocument()

  await reopenApp('/support/faqs')
  await expect.element(subject).toHaveValue('The waveform stays grey')
  await expect.element(description).toHaveTextContent('It never turns green.')
  await expect.element(form.getByText('grey.png')).toBeVisible()
  await press(form, 'Submit ticket')
  await expect.element(page.getByText('Ticket has been submitted successfully')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'View ticket 41' })).toBeVisible()
  await expect.element(subject).toHaveValue('')
  expect(fakeApi.inputsOf(helpdesk.submitTicket)).toMatchObject([
    {
      HelpdeskTickets: {
        department_id: '2',
        priority_id: '3',
        subject: 'The waveform stays grey',
        attachments: ['stored-1.png'],
      },
    },
  ])
})
