import { uploadedSongs } from '@dubplate/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'

test('rejects a file that is not music without sending it', async () => {
  signInAs(makeProfile())
  fakeApi.reply(uploadedSongs.getVersions, { versions: [{ version_id: 1, name: 'Clean', new_label: 'Clean' }] })
  const send = vi.spyOn(XMLHttpRequest.prototype, 'send')
  onTestFinished(() => send.mockRestore())
  await openApp('/uploads/new')
  const file = new File(['no music'], 'cover.jpg', { type: 'image/jpeg' })
  await userEvent.upload(page.getByLabelText('Audio files'), file)
  const sending = page.getByTestId('sending')
  await expect.element(sending.getByRole('alert')).toHaveTextContent('MP3, WAV, FLAC or AIFF')
  expect(send).not.toHaveBeenCalled()
  await page.getByRole('button', { name: 'Dismiss cover.jpg' }).click()
  await expect.element(sending).not.toBeInTheDocument()
})
