import type { catalogue } from '@dubplate/contract'
import { CARDS, createSubscriber, openSignedIn } from './members.ts'
import { DEMO_SONGS } from './pool.ts'
import { dialog, expect, getDemoSongs, getFirst, songPage, songRow, test } from './support.ts'

type LibraryTrack = { artist: string; title: string /** 0 if it is not known. */; seconds: number }

/** A Traktor collection with these files. */
function makeCollection(tracks: readonly LibraryTrack[]): Buffer {
  const entries = tracks.map(
    ({ artist, title, seconds }, n) =>
      `<ENTRY ARTIST="${artist}" TITLE="${title}"><LOCATION DIR="/:Music/:" FILE="${n}.mp3" VOLUME="C:"></LOCATION><INFO PLAYTIME="${Math.round(seconds)}" PLAYTIME_FLOAT="${seconds}"></INFO></ENTRY>`,
  )
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><NML VERSION="19"><COLLECTION ENTRIES="${tracks.length}">${entries.join('')}</COLLECTION></NML>`,
  )
}

/** Names that need no escapes in XML, with titles that are still recognised when their last letters are wrong. */
const isSimple = ({ title, artist }: catalogue.Song) =>
  /^[\w ]{12,}$/.test(title) && title.includes(' ') && /^[\w ]+$/.test(artist)

/** An original has no words of its own in a title, so its file would only be known by its length. */
const hasDistinctName = ({ version_label }: catalogue.Version) =>
  /^(Intro Clean|Acapella|Instrumental)$/.test(version_label)

test('imports the library of a DJ program, reviews it, and marks, hides and warns about what the member has', async ({
  page,
}) => {
  const simpleSongs = (await getDemoSongs(DEMO_SONGS)).filter(isSimple)
  const song = simpleSongs.find((each) => each.version.some(hasDistinctName))
  const misspelt = simpleSongs.find((each) => each !== song)
  const version = getFirst(song!.version.filter(hasDistinctName))
  const member = await createSubscriber('DJ Shelf', CARDS.pays)
  await openSignedIn(page, member.token, '/dj-library')
  await page.getByLabel('Choose library file').setInputFiles({
    name: 'collection.nml',
    mimeType: 'text/xml',
    buffer: makeCollection([
      { artist: song!.artist, title: `${song!.title} (${version.version_label})`, seconds: version.duration_seconds },
      { artist: misspelt!.artist, title: `${misspelt!.title.slice(0, -3)}xyz`, seconds: 0 },
      { artist: 'Another Artist', title: 'Nothing Like It', seconds: 200 },
    ]),
  })
  await page.getByRole('button', { name: 'Import 3 files' }).click()
  const library = page.getByRole('list', { name: 'Your libraries' })
  await expect(library.getByText('1 in the pool')).toBeVisible()
  await expect(library.getByText('1 not in the pool')).toBeVisible()

  await page.getByRole('button', { name: `Confirm: ${misspelt!.title}` }).click()
  await expect(page.getByText('Version unknown · Confirmed by you')).toBeVisible()
  await expect(library.getByText('2 in the pool')).toBeVisible()

  await page.goto(`/search/result/${encodeURIComponent(misspelt!.title)}`)
  const mark = { name: 'In your DJ library' }
  await expect(songRow(page, misspelt!).getByRole('img', mark).first()).toBeVisible()
  await page.getByRole('button', { name: 'Not in my DJ library' }).click()
  await expect(songRow(page, misspelt!)).toHaveCount(0)

  await page.goto(`/song/${song!.entity_id}`)
  await songPage(page)
    .getByRole('button', { name: `Download ${version.version_label}, ${song!.title}` })
    .first()
    .click()
  const question = dialog(page, `Download ${version.version_label} of ${song!.title}?`)
  await expect(question.getByText('This version is already in your DJ library.')).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()

  await songPage(page)
    .getByRole('button', { name: `More options for ${song!.title}` })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Download all versions' }).click()
  const { length } = song!.version
  const zipQuestion = dialog(page, `Download ${length} files?`)
  await zipQuestion.getByRole('switch', { name: 'Leave out the file in your DJ library' }).click()
  await expect(zipQuestion.getByRole('button', { name: `Download ${length - 1} files` })).toBeVisible()
  await zipQuestion.getByRole('button', { name: 'Cancel' }).click()

  await page.goto('/dj-library')
  await page.getByRole('button', { name: 'More options for Traktor' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog(page, 'Delete “Traktor”?').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { name: 'Compare your music with the pool' })).toBeVisible()
  await page.goto(`/song/${song!.entity_id}`)
  await expect(songPage(page).getByRole('heading', { level: 1, name: song!.title })).toBeVisible()
  await expect(songPage(page).getByRole('img', mark)).toHaveCount(0)
})
