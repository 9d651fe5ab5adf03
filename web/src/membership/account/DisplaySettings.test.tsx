import { account, catalogue } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { memberMenu } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile, makeSong, makeVersion } from '../../../test/samples.ts'
import { audio } from '../../player/audio.ts'

const choice = (name: string) => page.getByRole('radio', { name: new RegExp(`^${name}`) })
const colourScheme = () => document.documentElement.dataset.mantineColorScheme

test('applies each choice at once and saves it with the account', async () => {
  fakeApi.reply(account.saveDisplay, (display) => ({ display }))
  signInAs(makeProfile())
  await openApp('/account/display')
  await choice('Open Key').click()
  await choice('Light').click()
  await expect.poll(colourScheme).toBe('light')
  await choice('Original').click()
  await expect
    .poll(() => fakeApi.inputsOf(account.saveDisplay).at(-1))
    .toEqual({ notation: 'open', scheme: 'light', preview_loudness: 'original' })
})

test('shows what was chosen in another browser', async () => {
  signInAs(makeProfile({ display: { notation: 'open', scheme: 'light', preview_loudness: 'original' } }))
  await openApp('/account/display')
  await expect.element(choice('Open Key')).toBeChecked()
  await expect.element(choice('Light')).toBeChecked()
  await expect.element(choice('Original')).toBeChecked()
  expect(colourScheme()).toBe('light')
})

test('turns down a loud preview, or plays it as mastered', async () => {
  const version = makeVersion({ loudness_lufs: -8 })
  const song = makeSong({ entity_id: 1, version: [version] })
  fakeApi.reply(catalogue.getSong, { song })
  fakeApi.reply(account.saveDisplay, (display) => ({ display }))
  signInAs(makeProfile({ display: { notation: 'camelot', scheme: 'dark', preview_loudness: 'even' } }))
  await openApp('/song/1')
  await page
    .getByRole('button', { name: /^Preview / })
    .first()
    .click()
  const gain_db = -14 - -8
  await expect.poll(() => audio.heard.volume).toBeCloseTo(10 ** (gain_db / 20), 2)
  await memberMenu.click()
  await page.getByRole('menuitem', { name: 'Display' }).click()
  await choice('Original').click()
  await expect.poll(() => audio.heard.volume).toBe(1)
  await expect.element(page.getByRole('slider', { name: 'Volume' })).toHaveValue('1')
})
