import { uploadedSongs, uploads } from '@dubplate/contract'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { fakeTus, UPLOADED_ID } from '../../test/fakeTus.ts'
import { memberMenu } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'
import { makeSlot } from '../../test/staffSamples.ts'
import { deleteHandles, readHandles, saveHandle } from '../platform/handleStore.ts'
import { storeUnfinished } from './unfinishedUploads.ts'

const NAME = 'Low Ceiling (Clean).wav'
const MEMBER = 41

const sending = page.getByTestId('sending')
const makeFile = (name = NAME) => new File(['music'], name, { type: 'audio/wav' })
const chooseFile = (file = makeFile()) => userEvent.upload(page.getByLabelText('Audio files'), file)

/** Whether the browser would ask before it closes the tab. */
const warnsOnClosing = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))

beforeEach(() => {
  fakeApi.reply(uploadedSongs.getVersions, { versions: [{ version_id: 5, name: 'Clean', new_label: 'Clean' }] })
})

async function openForm() {
  signInAs(makeProfile({ customer_id: MEMBER }))
  await openApp('/uploads/new')
  await expect.element(page.getByRole('region', { name: 'Add files' })).toBeVisible()
}

/** Chooses a file, of which two of five bytes are sent. */
async function startUpload() {
  const server = fakeTus()
  await openForm()
  await chooseFile()
  const progress = sending.getByRole('progressbar', { name: NAME })
  // Only some of many progress events are shown.
  const sendBytes = () => {
    server.chunk()?.progress(2)
    return progress.element().ariaValueNow
  }
  await expect.poll(sendBytes).toBe('40')
  return server
}

test('rejects a file that is not music without sending it', async () => {
  const { requests } = fakeTus()
  await openForm()
  await chooseFile(makeFile('cover.jpg'))
  await expect.element(sending.getByRole('alert')).toHaveTextContent('MP3, M4A, OGG, Opus, WAV, FLAC or AIFF')
  expect(requests).toEqual([])
  await page.getByRole('button', { name: 'Dismiss cover.jpg' }).click()
  await expect.element(sending).not.toBeInTheDocument()
})

test('puts an uploaded file into a version named after its tags, and fills in the song', async () => {
  const { complete } = await startUpload()
  await expect.element(page.getByText('1 file still uploading.')).toBeVisible()
  const { file } = makeSlot()
  const tag = { ...file.tag, title: 'Low Ceiling', version_label: 'Clean' }
  fakeApi.reply(uploads.getContainer, { files: [{ ...file, upload_id: UPLOADED_ID, file: NAME, tag }] })
  complete(5)
  const slot = page.getByRole('group', { name: 'Version 1: Clean' })
  await expect.element(slot.getByText(NAME)).toBeVisible()
  await expect.element(page.getByLabelText('Song title')).toHaveValue('Low Ceiling')
  await expect.element(page.getByLabelText('Song title')).toHaveAccessibleDescription(', from tag')
  await expect.element(sending).not.toBeInTheDocument()
})

test('warns when the tab is closed during an upload, but not while it is paused', async () => {
  await startUpload()
  expect(warnsOnClosing()).toBe(true)
  await page.getByRole('button', { name: `Pause ${NAME}` }).click()
  await expect.element(sending).toHaveTextContent('Paused')
  expect(warnsOnClosing()).toBe(false)
  await page.getByRole('button', { name: `Resume ${NAME}` }).click()
  await expect.poll(warnsOnClosing).toBe(true)
  await page.getByRole('button', { name: `Cancel ${NAME}` }).click()
  expect(warnsOnClosing()).toBe(false)
})

test('stops an upload at sign-out, and asks for the file when the same member signs in again', async () => {
  const { requests, chunk } = await startUpload()
  await memberMenu.click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect.poll(chunk).toBeUndefined()
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'PATCH'])
  expect(warnsOnClosing()).toBe(false)

  signInAs(makeProfile({ customer_id: MEMBER + 1 }))
  await openApp('/uploads/index')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Upload Song List' })).toBeVisible()
  await expect.element(sending).not.toBeInTheDocument()

  await openForm()
  await expect.element(sending).toHaveTextContent(`Choose “${NAME}” again to continue.`)
  expect(chunk()).toBeUndefined()
})

test('does not upload a file that another tab is uploading', async () => {
  const root = await navigator.storage.getDirectory()
  const handle = await root.getFileHandle(NAME, { create: true })
  const writable = await handle.createWritable()
  await writable.write('music')
  await writable.close()
  const { size: bytes, lastModified } = await handle.getFile()
  const id = crypto.randomUUID()
  await saveHandle({ id, customerId: MEMBER, handle, name: NAME, bytes, lastModified })
  storeUnfinished(MEMBER, [{ sha256: 'aa', name: NAME, bytes, sent: 2, handleId: id, form: 'song.new' }])
  onTestFinished(() => deleteHandles(MEMBER))
  // The other tab holds the lock of the upload for as long as it is uploading it.
  let closeOtherTab = () => {}
  const whileOpen = new Promise<void>((resolve) => {
    closeOtherTab = resolve
  })
  onTestFinished(() => closeOtherTab())
  await new Promise((isLocked) => {
    void navigator.locks.request(`dubplate.upload.${id}`, () => {
      isLocked(undefined)
      return whileOpen
    })
  })
  const { requests } = fakeTus()
  await openForm()
  await expect.element(sending).toHaveTextContent('This file is being uploaded in another tab.')
  expect(warnsOnClosing()).toBe(false)
  await page.getByRole('button', { name: `Dismiss ${NAME}` }).click()
  await expect.element(sending).not.toBeInTheDocument()
  expect(requests).toEqual([])
  expect(await readHandles(MEMBER)).toHaveLength(1)
})
