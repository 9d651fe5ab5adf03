import { catalogue, library } from '@dubplate/contract'
import { callApi, dialog, expect, expectPlaying, getFirst, signInAs, songList, songRows, test } from './support.ts'

test('plays a whole genre, adds it to the crate, and goes on to an artist from a row', { tag: '@smoke' }, async ({
  page,
}) => {
  const token = await signInAs(page, 'dj@demo.test')
  const { genres } = await callApi(catalogue.getGenresWithCount, {})
  const genre = getFirst(genres.filter(({ song_count }) => song_count > 10))
  await page.goto(`/genres/view/${genre.genre_id}`)
  await expect(page.getByRole('heading', { name: genre.name, level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Play all' }).click()
  await expectPlaying(page)

  await page.getByRole('button', { name: 'Add all to crate' }).click()
  const question = dialog(page, `Add ${genre.song_count} songs to your crate?`)
  await question.getByRole('button', { name: 'Add all to crate' }).click()
  await expect(question).toBeHidden()
  const crate = await callApi(library.getCrates, {}, token)
  expect(crate.crates.length).toBeGreaterThanOrEqual(genre.song_count)
  await callApi(library.crateChange, { song_ids: crate.crates, action: 'remove' }, token)

  const { songs } = await callApi(catalogue.genreSongs, { genre_id: genre.genre_id })
  const song = getFirst(songs)
  await songRows(songList(page, `Songs in ${genre.name}`))
    .first()
    .getByRole('link', { name: song.artist, exact: true })
    .click()
  await expect(page.getByRole('heading', { name: song.artist, level: 1 })).toBeVisible()
  await expect(songRows(songList(page, `Songs in ${song.artist}`)).first()).toBeVisible()
})
