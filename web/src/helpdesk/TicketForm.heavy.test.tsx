import { helpdesk } from '@dubplate/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { errorReply, fakeApi } from '../../test/fakeApi.ts'
import { fakeUploads } from '../../test/fakeUploads.ts'
import { press } from '../../test/locators.ts'
import { openApp, reopenApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'

const form = page.getByRole('form', { name: 'Submit a ticket' })
const subject = form.getByLabelText('Subject')
const description = page.getByRole('textbox', { name: 'Description' })
const files = form.getByLabelText('Files to attach')

beforeEach(fakeUploads)
afterEach(() => vi.unstubAllGlobals())

async function openHelpDesk() {
  fakeApi.reply(helpdesk.getDepartments, { departments: [{ id: 2, name: 'Downloads and player' }] })
  fakeApi.reply(helpdesk.getPriorities, { priorities: [{ id: 3, name: 'High' }] })
  fakeApi.reply(helpdesk.getFaqs, {
    faqs: [{ faq_id: 7, question: 'Why does my download break off?', answer: '<p>It resumes.</p>' }],
  })
  signInAs(makeProfile())
  await openApp('/support/faqs')
}

async function fillIn() {
  await form.getByLabelText('Department').selectOptions('Downloads and player')
  await form.getByLabelText('Priority').selectOptions('High')
  await subject.fill('The waveform stays grey')
  await description.fill('It never turns green.')
}

const makeFile = (name: string, content = 'grey') => new File([content], name, { type: 'image/png' })

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
  await expect.element(form.getByLabelText('Department')).toHaveFocus()
  await subject.fill('The waveform')
  await expect.element(form.getByText('Subject cannot be blank!')).not.toBeInTheDocument()
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
  await fillIn()
  await files.upload(makeFile('grey.png'))
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
  expect(sessionStorage.getItem('dubplate.draft.form.ticket')).toBeNull()
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

test('keeps what is written while the ticket is submitted', async () => {
  await openHelpDesk()
  await fillIn()
  const release = fakeApi.holdReply(helpdesk.submitTicket)
  await press(form, 'Submit ticket')
  await subject.fill('And another thing')
  release()
  await expect.element(page.getByText('Ticket has been submitted successfully')).toBeVisible()
  await expect.element(subject).toHaveValue('And another thing')
})

test('shows the server’s errors at their fields until they are changed, and others above the button', async () => {
  await openHelpDesk()
  await fillIn()
  fakeApi.reply(helpdesk.submitTicket, () => {
    throw errorReply({
      code: 'unknown_department',
      message: 'This department no longer exists.',
      fields: { 'HelpdeskTickets.department_id': 'This department no longer exists.' },
    })
  })
  await press(form, 'Submit ticket')
  const error = form.getByText('This department no longer exists.')
  await expect.element(error).toBeVisible()
  await expect.element(form.getByLabelText('Department')).toHaveFocus()
  await subject.fill('The waveform')
  await expect.element(error).not.toBeInTheDocument()
  fakeApi.setOffline(true)
  await press(form, 'Submit ticket')
  await expect.element(form.getByText('You’re offline.')).toBeVisible()
  await expect.element(subject).toHaveValue('The waveform')
  fakeApi.setOffline(false)
})

test('refuses files that are empty or too many, and blocks the ticket until a failed one is retried', async () => {
  await openHelpDesk()
  await fillIn()
  await files.upload(makeFile('empty.png', ''))
  await expect.element(form.getByText('This file is empty. Choose another file.')).toBeVisible()
  await expect.element(form.getByRole('button', { name: 'Retry empty.png' })).not.toBeInTheDocument()
  await press(form, 'Submit ticket')
  await expect.element(form.getByText('Some files couldn’t be attached.')).toBeVisible()
  await press(form, 'Remove empty.png')
  await expect.element(form.getByRole('button', { name: 'Attach files' })).toHaveFocus()

  fakeApi.rejectWith(helpdesk.uploadAttachments, { code: 'insufficient_storage', message: 'The disk is full.' })
  await files.upload(makeFile('grey.png'))
  await expect.element(form.getByText('The disk is full.')).toBeVisible()
  let count = 0
  fakeApi.reply(helpdesk.uploadAttachments, () => ({
    UploadAttachmentsForm: { name: { attachments: [`stored-${++count}.png`] } },
  }))
  await press(form, 'Retry grey.png')
  await expect.element(form.getByText('4 B')).toBeVisible()
  await files.upload(Array.from({ length: 8 }, (_, n) => makeFile(`${n}.png`)))
  await expect.element(form.getByText('You can attach up to 8 files.')).toBeVisible()
  await expect.element(form.getByText('7.png')).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(helpdesk.submitTicket)).toEqual([])
})

test('refuses a file larger than 10 MB that is dropped on the description', async () => {
  await openHelpDesk()
  await expect.element(page.getByRole('button', { name: 'Bold' })).toBeVisible()
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([new Uint8Array(helpdesk.MAX_ATTACHMENT_BYTES + 1)], 'large.png'))
  description.element().dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  await expect.element(form.getByText(/^This file is too large/)).toBeVisible()
  expect(fakeApi.inputsOf(helpdesk.uploadAttachments)).toEqual([])
})

test('suggests FAQs for the subject, and clears the draft when one has helped', async () => {
  await openHelpDesk()
  await subject.fill('My download breaks off')
  await expect.element(form.getByText('1 suggested answer')).toBeInTheDocument()
  await form.getByText('Why does my download break off?').click()
  await expect.element(form.getByText('It resumes.')).toBeVisible()
  await press(form, 'This solved it')
  await expect.element(subject).toHaveValue('')
  await page.getByText('Undo', { exact: true }).click()
  await expect.element(subject).toHaveValue('My download breaks off')
})

test('loads the departments again after an error', async () => {
  fakeApi.rejectWith(helpdesk.getDepartments, { code: 'internal_error', message: 'Something went wrong.' })
  signInAs(makeProfile())
  await openApp('/support/faqs')
  await expect.element(form.getByText('Couldn’t load the departments and priorities.')).toBeVisible()
  fakeApi.reply(helpdesk.getDepartments, { departments: [{ id: 2, name: 'Downloads and player' }] })
  await press(form, 'Try again')
  await expect.element(form.getByRole('option', { name: 'Downloads and player' })).toBeInTheDocument()
})
