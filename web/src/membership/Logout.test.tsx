import { membership } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { banner, currentUrl, memberMenu } from '../../test/locators.ts'
import { openApp, signInAs, TOKEN } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'
import { readHandles, saveHandle } from '../platform/handleStore.ts'

const signInButton = banner.getByRole('button', { name: 'Sign in' })

async function signOut() {
  await memberMenu.click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

test('ends the session here and on the server, and opens the start page', async () => {
  signInAs(makeProfile())
  await openApp('/newRelease')
  await signOut()
  await expect.element(signInButton).toBeVisible()
  await expect.poll(currentUrl).toBe('/')
  expect(localStorage.getItem('dubplate.token')).toBeNull()
  await expect.poll(() => fakeApi.inputsOf(membership.signOut)).toHaveLength(1)
})

test('sends a sign-out made offline to the server once there is a connection', async () => {
  signInAs(makeProfile())
  await openApp('/')
  await expect.element(memberMenu).toBeVisible()
  fakeApi.setOffline(true)
  await signOut()
  await expect.element(signInButton).toBeVisible()
  expect(fakeApi.inputsOf(membership.signOut)).toEqual([])
  fakeApi.setOffline(false)
  await expect.poll(() => fakeApi.inputsOf(membership.signOut)).toHaveLength(1)
  await expect.poll(() => JSON.stringify(localStorage)).not.toContain(TOKEN)
})

test('forgets the files that unfinished uploads are read from', async () => {
  const handle = await navigator.storage.getDirectory()
  await saveHandle({ id: 'one', customerId: 1, handle, name: 'song.wav', bytes: 1, lastModified: 1 })
  expect(await readHandles(1)).toHaveLength(1)
  signInAs(makeProfile())
  await openApp('/logout')
  await expect.element(signInButton).toBeVisible()
  await expect.poll(() => readHandles(1)).toEqual([])
})
