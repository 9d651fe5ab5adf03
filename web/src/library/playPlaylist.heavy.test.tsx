import { catalogue, player } from '@dubplate/contract'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { fakePlaylist } from '../../test/fakePlaylist.ts'
import { playButtonOf } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSong, makeVersion, singlePage } from '../../test/samples.ts'
import { expectPlaying } from '../../test/sound.ts'
import { audio } from '../player/audio.ts'

const longVersion = () => makeVersion({ mp3: '/previews/long.mp3', duration_seconds: 40 })

/** Plays thirty seconds of audio in two seconds: the audio position counts, not the time. */
async function listenThirtySeconds() {
  await expectPlaying()
  audio.heard.playbackRate = 16
  onTestFinished(() => {
    audio.heard.playbackRate = 1
  })
}

const listens = () => fakeApi.inputsOf(player.songPlayed)

test('counts a song played from a playlist for that playlist', async () => {
  signInAs(makeProfile())
  const version = longVersion()
  const playlist = fakePlaylist('Friday night', [makeSong({ version: [version] })])
  await openApp(`/playlist/${playlist.id}`)
  await page.getByRole('button', { name: 'Play all' }).click()
  await listenThirtySeconds()
  await expect.poll(listens).toHaveLength(1)
  expect(listens()[0]).toMatchObject({ song_version_id: version.song_version_id, playlist_id: playlist.id })
})

test('counts a song played from another list without a playlist', async () => {
  signInAs(makeProfile())
  const version = longVersion()
  const song = makeSong({ version: [version] })
  fakeApi.reply(catalogue.getNewRelease, { songs: [song], pagination: singlePage(1) })
  await openApp('/newRelease')
  await playButtonOf(song).click()
  await listenThirtySeconds()
  await expect.poll(listens).toHaveLength(1)
  expect(listens()[0]).toMatchObject({ song_version_id: version.song_version_id })
  expect(listens()[0]).not.toHaveProperty('playlist_id')
})
