import { curation, helpdesk, payments, uploadedSongs } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { makeWav } from './make-music.ts'
import { CARDS, createApplicant, createMember, createSubscriber } from './members.ts'
import {
  callApi,
  dialog,
  expect,
  getDemoSongs,
  getFirst,
  getToken,
  openOtherBrowser,
  STORY_LIST_TITLE,
  signInAs,
  songList,
  songRows,
  test,
  uploadFile,
} from './support.ts'

const TEST_MUSIC = { genre: 'house', tonic: 2, mode: 'minor', bpm: 122, seed: 77, version: 'Quick Hit' } as const
/** Before all lists of the demo, so that lists of this test come last on the pages of other tests. */
const PAST_DATE = '2001-02-03T10:00'

/** Creates the work of a morning: an application, an upload, a ticket and a payment. */
async function createMorningWork() {
  const n = crypto.randomUUID().slice(0, 6)
  const [applicant, subscriber, uploader, ticketMember] = [
    `DJ New ${n}`,
    `DJ Regret ${n}`,
    `Label ${n}`,
    `DJ Question ${n}`,
  ]
  const song = `Morning Ferry ${n}`
  await createApplicant(applicant)
  await createSubscriber(subscriber, CARDS.pays)
  const upload = await createUploadedSong(await createMember(uploader), song)
  const subject = `Where is my crate? ${n}`
  const { token } = await createMember(ticketMember)
  const ticket = { department_id: 1, priority_id: 2, subject, details: 'It was full.', attachments: [] }
  const { ticket_number } = await callApi(helpdesk.submitTicket, { HelpdeskTickets: ticket }, token)
  const titles = { spotlight: `${STORY_LIST_TITLE}, morning ${n}`, top20: `${STORY_LIST_TITLE}, top ${n}` }
  return { applicant, subscriber, song, upload, subject, ticket_number, ...titles }
}

/** Creates an uploaded song in review, and returns its id. */
async function createUploadedSong({ token }: { token: string }, title: string): Promise<number> {
  const { upload_id } = await uploadFile(token, `Ferry Crew - ${title} (Clean).wav`, makeWav(TEST_MUSIC, title))
  // Imported songs may have no genre.
  const genre = getFirst((await getDemoSongs(24)).flatMap(({ genres }) => genres))
  const songData = { title, artist: 'Ferry Crew', year: '2026', song_key: 'Dm', bpm: '122', genres: [genre.genre_id] }
  const versions = [{ new_label: 'Clean', song: upload_id }]
  return (await callApi(uploadedSongs.createSong, { songData, versions }, token)).entity_id
}

/** Creates and publishes a list of the newest songs, and returns its id. */
async function composeList(page: Page, section: string, title: string, songs: number): Promise<number> {
  await page.goto(`/staff/curation?open=new${section}`)
  await page.getByLabel('Title', { exact: true }).fill(title)
  const ids = (await getDemoSongs(songs)).map(({ entity_id }) => entity_id)
  await page.getByRole('button', { name: 'Paste song links…' }).click()
  await page.getByLabel('Song links or IDs').fill(ids.join('\n'))
  await page.getByRole('button', { name: 'Add songs' }).click()
  await expect(page.getByRole('list', { name: 'Songs in this list' }).getByRole('listitem')).toHaveCount(songs)
  await page.getByRole('combobox', { name: 'Visibility' }).click()
  await page.getByRole('option', { name: 'Schedule…' }).click()
  await page.getByLabel('Publish on', { exact: true }).fill(PAST_DATE)
  await page.getByRole('button', { name: 'Schedule' }).click()
  await expect(page).toHaveURL(/open=\d+/)
  return Number(new URL(page.url()).searchParams.get('open'))
}

async function getChargeId(djName: string): Promise<number> {
  const { payments: findMatch } = await callApi(
    payments.getPayments,
    { search: djName },
    await getToken('staff@demo.test'),
  )
  return getFirst(findMatch).charge_id ?? 0
}

async function unpublishList(kind: curation.Kind, list_id: number): Promise<void> {
  const token = await getToken('staff@demo.test')
  const { list } = await callApi(curation.getList, { kind, list_id }, token)
  await callApi(curation.unpublishList, { kind, list_id, version: list.version }, token)
}

test('logs a working day of staff in the audit log: approve, publish, curate, reply and refund', async ({
  page,
  browser,
}) => {
  test.slow()
  const day = await createMorningWork()
  await signInAs(page, 'staff@demo.test')

  await page.goto('/staff/applications')
  await page.getByRole('row', { name: day.applicant }).press('a')
  await expect(page.getByText(`${day.applicant} approved and notified`)).toBeVisible()

  await page.goto(`/staff/uploads?find=${encodeURIComponent(day.song)}`)
  await page.getByRole('row', { name: day.song, exact: true }).press('a')
  await expect(page.getByText(`“${day.song}” published. We’ve emailed the uploader.`)).toBeVisible()

  const spotlight = await composeList(page, '', day.spotlight, 4)
  const top20 = await composeList(page, '&view=top20', day.top20, 20)
  const visitor = await openOtherBrowser(browser)
  await visitor.goto(`/spotlight/view/${spotlight}`)
  await expect(songRows(songList(visitor, day.spotlight))).toHaveCount(4)
  await visitor.goto(`/top20/songs/${top20}`)
  await expect(songRows(songList(visitor, day.top20))).toHaveCount(20)

  await page.goto('/staff/tickets')
  await page.getByRole('link', { name: day.subject }).click()
  await page.getByRole('textbox', { name: 'Reply' }).fill('It is back. Sorry for the scare.')
  await page.getByRole('button', { name: 'Send reply', exact: true }).click()
  await expect(page.getByRole('article').filter({ hasText: 'It is back. Sorry for the scare.' })).toBeVisible()

  await page.goto('/staff/payments')
  await page.getByLabel('Search by name, email or invoice…').fill(day.subscriber)
  await page.getByRole('row', { name: day.subscriber }).press('r')
  const refund = dialog(page, `Refund ${day.subscriber}`)
  await refund.getByLabel('Reason').fill('Changed their mind')
  await refund.getByRole('button', { name: /^Refund / }).click()
  await expect(refund).toBeHidden()

  const charge = await getChargeId(day.subscriber)
  const entries = [
    { action: 'application approved', subject: day.applicant },
    { action: 'upload published', subject: `upload ${day.upload}` },
    { action: 'spotlight published', subject: `spotlight ${spotlight}` },
    { action: 'top20 published', subject: `top20 ${top20}` },
    { action: 'ticket replied to', subject: `ticket ${day.ticket_number}` },
    { action: 'payment refunded', subject: `charge ${charge}` },
  ]
  for (const { action, subject } of entries) {
    await page.goto(`/staff/audit?action=${encodeURIComponent(action)}`)
    await expect(page.getByRole('row', { name: `${action}, ${subject}`, exact: true })).toContainText('Front Desk')
  }
  await unpublishList('spotlight', spotlight)
  await unpublishList('top20', top20)
})
