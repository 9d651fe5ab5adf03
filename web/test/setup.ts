import { afterEach, beforeEach } from 'vitest'
import { fakeApi } from './fakeApi.ts'
import { closeApp } from './openApp.tsx'

document.documentElement.lang = 'en'

beforeEach(() => fakeApi.install())

afterEach(async () => {
  fakeApi.letRequestsFinish()
  await closeApp()
  fakeApi.reset()
})
