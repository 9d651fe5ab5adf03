import { helpdesk, payments, programming, uploadedSongs } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { wavOf } from './made-music.ts'
import { aMember, anApplicant, aSubscriber, CARDS } from './members.ts'
import {
  ask,
  COMPOSED,
  dialog,
  enterAs,
  expect,
  firstOf,
  listNamed,
  newestSongs,
  otherBrowser,
  rowsOf,
  sendFile,
  test,
  tokenOf,
} from './support.ts'

const QUICK_HIT = { genre: 'house', tonic: 2, mode: 'minor', bpm: 122, seed: 77, version: 'Quick Hit' } as const
/** Before anything else of the demo: what is published for a moment stands behind what other stories read. */
const LONG_AGO = '2001-02-03T10:00'

/** What waits for staff in the morning, all of it this story's own. */
async function aMorning() {
  const n = crypto.randomUUID().slice(0, 6)
  const [applicant, subscriber, uploader, asker] = [`DJ New ${n}`, `DJ Regret ${n}`, `Label ${n}`, `DJ Question ${n}`]
  const song = `Morning Ferry ${n}`
  await anApplicant(applicant)
  await aSubscriber(subscriber, CARDS.pays)
  const upload = await anUploadedSong(await aMember(uploader), song)
  const subject = `Where is my crate? ${n}`
  const { token } = await aMember(asker)
  const ticket = { department_id: 1, priority_id: 2, subject, details: 'It was full.', attachments: [] }
  const { ticket_number } = await ask(helpdesk.submitTicket, { HelpdeskTickets: ticket }, token)
  const titles = { spotlight: `${COMPOSED}, morning ${n}`, top20: `${COMPOSED}, top ${n}` }
  return { applicant, subscriber, song, upload, subject, ticket_number, ...titles }
}

/** A song that waits for staff; answers with its number. */
async function anUploadedSong({ token }: { token: string }, title: string): Promise<number> {
  const { upload_id } = await sendFile(token, `Ferry Crew - ${title} (Clean).wav`, wavOf(QUICK_HIT, title))
  // An imported song may have none.
  const genre = firstOf((await newestSongs(24)).flatMap(({ genres }) => genres))
  const songData = { title, artist: 'Ferry Crew', year: '2026', song_key: 'Dm', bpm: '122', genres: [genre.genre_id] }
  const versions = [{ new_label: 'Clean', song: upload_id }]
  return (await ask(uploadedSongs.createSong, { songData, versions }, token)).entity_id
}

/** Puts so many of the newest songs into the list that is open, publishes it, and answers with its number. */
async function compose(page: Page, room: string, title: string, songs: number): Promise<number> {
  await page.goto(`/staff/programming?open=new${room}`)
  await page.getByLabel('Title', { exact: true }).fill(title)
  const ids = (await newestSongs(songs)).map(({ entity_id }) => entity_id)
  await page.getByRole('button', { name: 'Paste song links…' }).click()
  await page.getByLabel('Song links or IDs').fill(ids.join('\n'))
  await page.getByRole('button', { name: 'Add songs' }).click()
  await expect(page.getByRole('list', { name: 'Songs in this list' }).getByRole('listitem')).toHaveCount(songs)
  await page.getByLabel('Visibility', { exact: true }).selectOption({ label: 'Schedule…' })
  await page.getByLabel('Publish on', { exact: true }).fill(LONG_AGO)
  await page.getByRole('button', { name: 'Schedule' }).click()
  await expect(page).toHaveURL(/open=\d+/)
  return Number(new URL(page.url()).searchParams.get('open'))
}

async function chargeOf(djName: string): Promise<number> {
  const { payments: made } = await ask(payments.getPayments, { search: djName }, await tokenOf('staff@demo.test'))
  return firstOf(made).charge_id ?? 0
}

async function withdraw(kind: programming.Kind, list_id: number): Promise<void> {
  const token = await tokenOf('staff@demo.test')
  const { list } = await ask(programming.getList, { kind, list_id }, token)
  await ask(programming.withdrawList, { kind, list_id, version: list.version }, token)
}

test('one working day: approve, publish, compose, answer, refund, and all of it is in the audit log', async ({
  page,
  browser,
}) => {
  test.slow()
  const day = await aMorning()
  await enterAs(page, 'staff@demo.test')

  await page.goto('/staff/applications')
  await page.getByRole('listitem', { name: day.applicant }).getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText(`${day.applicant} approved and notified`)).toBeVisible()

  await page.goto(`/staff/uploads?find=${encodeURIComponent(day.song)}`)
  const upload = page.getByRole('list', { name: 'Songs' }).getByRole('listitem', { name: day.song, exact: true })
  await upload.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByText(`“${day.song}” published. We’ve emailed the uploader.`)).toBeVisible()

  const spotlight = await compose(page, '', day.spotlight, 4)
  const top20 = await compose(page, '&room=top20', day.top20, 20)
  const visitor = await otherBrowser(browser)
  await visitor.goto(`/spotlight/view/${spotlight}`)
  await expect(rowsOf(listNamed(visitor, day.spotlight))).toHaveCount(4)
  await visitor.goto(`/top20/songs/${top20}`)
  await expect(rowsOf(listNamed(visitor, day.top20))).toHaveCount(20)

  await page.goto('/staff/tickets')
  await page.getByRole('link', { name: day.subject }).click()
  await page.getByRole('textbox', { name: 'Reply' }).fill('It is back. Sorry for the scare.')
  await page.getByRole('button', { name: 'Send reply', exact: true }).click()
  await expect(page.getByRole('article').filter({ hasText: 'It is back. Sorry for the scare.' })).toBeVisible()

  await page.goto('/staff/payments')
  await page.getByLabel('Search by name, email or invoice…').fill(day.subscriber)
  await page.getByRole('listitem', { name: day.subscriber }).getByRole('button', { name: 'Refund…' }).click()
  const refund = dialog(page, `Refund ${day.subscriber}`)
  await refund.getByLabel('Reason').fill('Changed their mind')
  await refund.getByRole('button', { name: /^Refund / }).click()
  await expect(refund).toBeHidden()

  const charge = await chargeOf(day.subscriber)
  const deeds = [
    { action: 'application approved', subject: day.applicant },
    { action: 'upload published', subject: `upload ${day.upload}` },
    { action: 'spotlight published', subject: `spotlight ${spotlight}` },
    { action: 'top20 published', subject: `top20 ${top20}` },
    { action: 'ticket replied to', subject: `ticket ${day.ticket_number}` },
    { action: 'payment refunded', subject: `charge ${charge}` },
  ]
  for (const { action, subject } of deeds) {
    await page.goto('/staff/audit')
    await page.getByLabel('Action', { exact: true }).selectOption(action)
    await expect(page.getByRole('listitem', { name: `${action}, ${subject}`, exact: true })).toContainText('Front Desk')
  }
  await withdraw('spotlight', spotlight)
  await withdraw('top20', top20)
})
