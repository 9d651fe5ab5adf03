import { account } from '@dubplate/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { fakeUploads } from '../../../test/fakeUploads.ts'
import { dialogNamed, memberMenu, press } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'

const picture = page.getByRole('region', { name: 'Profile picture' })
const field = picture.getByLabelText('Choose a picture')
const crop = dialogNamed('Crop picture')
const shownPicture = () => memberMenu.element().querySelector('img')

beforeEach(fakeUploads)
afterEach(() => vi.unstubAllGlobals())

async function makePng(width: number, height: number): Promise<File> {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  canvas.getContext('2d')?.fillRect(0, 0, width / 2, height / 2)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
  return new File([blob!], 'portrait.png', { type: 'image/png' })
}

/** The pictures that were sent, oldest first. */
const sentPictures = () =>
  (fakeApi.inputsOf(account.uploadPicture) as Record<string, Blob>[]).map((input) => input['UploadFilesForm[files]']!)

test('rejects too many files and a file that is not a picture', async () => {
  signInAs(makeProfile())
  await openApp('/account/update')
  const portrait = await makePng(40, 60)
  await field.upload([portrait, portrait, portrait])
  await expect.element(picture.getByRole('alert')).toHaveTextContent('Choose at most 2 files.')
  await field.upload(new File(['no picture'], 'mix.png', { type: 'image/png' }))
  await expect
    .element(crop.getByRole('alert'))
    .toHaveTextContent('Your browser can’t display mix.png. Choose another file.')
  await press(crop, 'Cancel')
  await expect.element(crop).not.toBeInTheDocument()
})

test('sends a square of the picture, again after a failed attempt, and removes it', async () => {
  signInAs(makeProfile())
  fakeApi.reply(account.uploadPicture, () => {
    throw new TypeError('Failed to fetch')
  })
  await openApp('/account/update')
  await field.upload(await makePng(400, 600))
  await crop.getByLabelText('Zoom').fill('2')
  crop
    .getByLabelText(/^Crop area/)
    .element()
    .focus()
  await userEvent.keyboard('{ArrowUp}')
  await press(crop, 'Save picture')
  await expect.element(picture.getByRole('alert')).toHaveTextContent('Can’t reach the server.')

  fakeApi.reply(account.uploadPicture, { profile_picture: '/images/portrait/320.webp' })
  await press(picture, 'Try again')
  await expect.element(picture.getByRole('alert')).not.toBeInTheDocument()
  await expect.poll(shownPicture).not.toBeNull()
  const sent = sentPictures()
  expect(sent).toHaveLength(2)
  const { width, height } = await createImageBitmap(sent[1]!)
  expect([width, height], 'half of the width, which is the shorter side').toEqual([200, 200])

  await press(picture, 'Remove')
  await expect.element(picture.getByRole('button', { name: 'Add picture' })).toBeVisible()
  expect(shownPicture()).toBeNull()
})
