import { uploadedSongs, uploads } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { anUpload, aWav, songData } from '../../test/upload-makers.ts'
import { unpublishSong } from '../catalogue/publication.ts'
import { expireSongs, remindUploaders } from './expiry.ts'
import { publishUpload } from './publishing.ts'
import { sweepRemovedFiles } from './removed-files.ts'

const DAY_MS = 24 * 3600 * 1000

let pool: TestPool
let house: number
let staff: number
const clock = { days: 0 }

beforeAll(async () => {
  pool = await openTestPool()
  pool.ctx.now = () => new Date(Date.now() + clock.days * DAY_MS)
  house = await aGenre(pool.ctx, 'House')
  staff = (await aMember(pool.ctx, { staff_role: 'curator' })).customer_id
})
afterAll(() => pool.close())

type Member = Awaited<ReturnType<typeof aMember>>

const dayFromNow = (days: number) => {
  const date = new Date(Date.now() + days * DAY_MS)
  return { day: date.getUTCDate(), month: date.getUTCMonth() + 1, year: date.getUTCFullYear() }
}

async function aPublished(member: Member, title: string, expire_date: uploadedSongs.SongData['expire_date'] = null) {
  const song = await anUpload(pool.ctx, member)
  const { entity_id } = await pool.ask(
    uploadedSongs.createSong,
    { songData: songData({ title, genres: [house], expire_date }), versions: [{ new_label: 'Clean', song }] },
    member.token,
  )
  await pool.ctx.sql.begin((sql) => publishUpload(pool.ctx, sql, { entity_id, version: 1, staff_id: staff }))
  return { entity_id, song }
}

const stateOf = async (member: Member, entity_id: number) => {
  const { song } = await pool.ask(uploadedSongs.getSongEntry, { entity_id }, member.token)
  return [song.status, song.is_listed]
}

async function runInDays(days: number, what: () => Promise<void>): Promise<void> {
  clock.days = days
  try {
    await what()
  } finally {
    clock.days = 0
  }
}

test('a song expires after ninety days, and Renew republishes it for ninety more', async () => {
  const member = await aMember(pool.ctx, { group_id: 3 })
  const { entity_id } = await aPublished(member, 'Ninety days')
  await runInDays(89, async () => {
    await expireSongs(pool.ctx)
    expect(await stateOf(member, entity_id)).toEqual(['published', true])
  })
  await runInDays(91, async () => {
    await expireSongs(pool.ctx)
    expect(await stateOf(member, entity_id)).toEqual(['expired', false])
    const renewed = await pool.ask(uploadedSongs.renewSong, { entity_id, page: 1, pageLimit: 20 }, member.token)
    expect(renewed.status).toBe('published')
    expect(Date.parse(renewed.expire_date)).toBeCloseTo(pool.ctx.now().getTime() + 90 * DAY_MS, -4)
    expect(await stateOf(member, entity_id)).toEqual(['published', true])
  })
  await runInDays(182, async () => {
    await expireSongs(pool.ctx)
    expect(await stateOf(member, entity_id)).toEqual(['expired', false])
  })
})

test('a chosen expiry date applies, and a past one is rejected at its field', async () => {
  const member = await aMember(pool.ctx, { group_id: 3 })
  const { entity_id } = await aPublished(member, 'Picked', dayFromNow(10))
  const { song } = await pool.ask(uploadedSongs.getSongEntry, { entity_id }, member.token)
  expect(song.expire_date).toBe(
    new Date(Date.UTC(dayFromNow(10).year, dayFromNow(10).month - 1, dayFromNow(10).day)).toISOString(),
  )
  const past = songData({ title: 'Past', genres: [house], expire_date: dayFromNow(-1) })
  const response = await pool.request(uploadedSongs.createSong, { songData: past, versions: [] }, member.token)
  expect(response.json()).toMatchObject({
    code: 'date_in_past',
    fields: { 'songData.expire_date': expect.any(String) },
  })
  const never = songData({ title: 'Never', genres: [house], expire_date: { day: 31, month: 6, year: 2027 } })
  expect(await errorOf(pool.ask(uploadedSongs.createSong, { songData: never }, member.token))).toMatchObject({
    code: 'invalid_request',
  })
})

test('time in review does not count: without a chosen date the days count from publication', async () => {
  const member = await aMember(pool.ctx, { group_id: 3 })
  const song = await anUpload(pool.ctx, member)
  const { entity_id } = await pool.ask(
    uploadedSongs.createSong,
    { songData: songData({ title: 'Long queue', genres: [house] }), versions: [{ new_label: 'Clean', song }] },
    member.token,
  )
  await runInDays(20, async () => {
    await pool.ctx.sql.begin((sql) => publishUpload(pool.ctx, sql, { entity_id, version: 1, staff_id: staff }))
  })
  const entry = await pool.ask(uploadedSongs.getSongEntry, { entity_id }, member.token)
  expect(Date.parse(entry.song.expire_date)).toBeCloseTo(Date.now() + 110 * DAY_MS, -5)
})

test('publishing a change of an expired song republishes it for ninety days', async () => {
  const member = await aMember(pool.ctx, { group_id: 3 })
  const { entity_id, song } = await aPublished(member, 'Late change')
  await runInDays(85, async () => {
    await pool.ask(
      uploadedSongs.updateSong,
      {
        entity_id,
        songData: songData({ title: 'Later change', genres: [house] }),
        versions: [{ new_label: 'Clean', song }],
      },
      member.token,
    )
  })
  await runInDays(91, async () => {
    await expireSongs(pool.ctx)
    expect(await stateOf(member, entity_id)).toEqual(['in_review', false])
    const [{ version }] = (await pool.ctx.sql`
      select version from upload_song where upload_song_id = ${entity_id}`) as unknown as [{ version: number }]
    await pool.ctx.sql.begin((sql) => publishUpload(pool.ctx, sql, { entity_id, version, staff_id: staff }))
    await expireSongs(pool.ctx)
    expect(await stateOf(member, entity_id)).toEqual(['published', true])
  })
})

test('emails the uploader once a week before, with all songs; a renewed song is reported again', async () => {
  const member = await aMember(pool.ctx, { group_id: 3 })
  const first = await aPublished(member, 'First to go')
  await aPublished(member, 'Second to go')
  const emails = () => pool.ctx.sql<{ subject: string; body: string }[]>`
    select subject, body from outgoing_mail where owner = ${`customer ${member.customer_id}`} and subject like '%expire%'
    order by mail_id`
  const remind = async () => {
    while (await remindUploaders(pool.ctx));
  }
  await runInDays(82, async () => {
    await remind()
    expect(await emails()).toHaveLength(0)
  })
  await runInDays(84, async () => {
    await remind()
    await remind()
    const [email, ...others] = await emails()
    expect(others).toEqual([])
    expect(email?.subject).toBe('2 of your songs expire soon')
    expect(email?.body).toContain('“First to go” by Kwame')
    await pool.ask(uploadedSongs.renewSong, { entity_id: first.entity_id }, member.token)
  })
  await runInDays(84 + 84, async () => {
    await remind()
    expect((await emails()).map(({ subject }) => subject).at(-1)).toBe('“First to go” expires soon')
  })
})

test('a song that is renewed at the moment it expires stays published', async () => {
  const member = await aMember(pool.ctx, { group_id: 3 })
  const { entity_id } = await aPublished(member, 'Close call')
  await runInDays(91, async () => {
    await Promise.all([
      expireSongs(pool.ctx),
      pool.ask(uploadedSongs.renewSong, { entity_id }, member.token),
      expireSongs(pool.ctx),
    ])
    expect(await stateOf(member, entity_id)).toEqual(['published', true])
  })
})

test('deletes a removed file after thirty days, unless it is used in a song or by someone else', async () => {
  const [member, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  const bytes = aWav()
  const mine = await anUpload(pool.ctx, member, { bytes })
  const alone = await anUpload(pool.ctx, member)
  const published = await aPublished(member, 'Kept')
  await anUpload(pool.ctx, other, { bytes })
  const hashOf = async (upload_id: number) => {
    const [row] = await pool.ctx.sql<{ sha256: string }[]>`
      select encode(sha256, 'hex') as sha256 from upload where upload_id = ${upload_id}`
    return row?.sha256 ?? ''
  }
  const [sharedHash, ownHash, publishedHash] = [await hashOf(mine), await hashOf(alone), await hashOf(published.song)]
  for (const upload_id of [mine, alone]) await pool.ask(uploads.removeUpload, { upload_id }, member.token)
  await pool.ask(uploadedSongs.deleteSong, { entity_id: published.entity_id }, member.token)
  const isStored = (sha256: string) => pool.ctx.storage.has('audio', sha256)
  await runInDays(29, () => sweepRemovedFiles(pool.ctx))
  expect(await isStored(ownHash)).toBe(true)
  await runInDays(31, () => sweepRemovedFiles(pool.ctx))
  expect(await Promise.all([ownHash, sharedHash, publishedHash].map(isStored))).toEqual([false, true, true])
  expect(await pool.ctx.sql`select 1 from file where sha256 = ${Buffer.from(ownHash, 'hex')}`).toHaveLength(0)
})

const change = async (
  member: Member,
  published: { entity_id: number; song: number },
  params: Partial<uploadedSongs.SongData>,
) =>
  pool.ask(
    uploadedSongs.updateSong,
    {
      entity_id: published.entity_id,
      songData: songData({ genres: [house], ...params }),
      versions: [
        {
          song_version_id: (
            await pool.ask(uploadedSongs.getSongVersions, { entity_id: published.entity_id }, member.token)
          ).versions[0]?.song_version_id,
          new_label: 'Clean',
          song: published.song,
        },
      ],
    },
    member.token,
  )

test('choosing a future date for an expired song republishes it', async () => {
  const member = await aMember(pool.ctx, { group_id: 3 })
  const published = await aPublished(member, 'Back by date')
  await runInDays(91, async () => {
    await expireSongs(pool.ctx)
    await change(member, published, { title: 'Back by date', expire_date: dayFromNow(120) })
    expect(await stateOf(member, published.entity_id)).toEqual(['published', true])
  })
  await runInDays(121, async () => {
    await expireSongs(pool.ctx)
    expect(await stateOf(member, published.entity_id)).toEqual(['expired', false])
  })
})

test('a song unpublished by staff stays unpublished, also after it expires and is renewed', async () => {
  const member = await aMember(pool.ctx, { group_id: 3 })
  const { entity_id } = await aPublished(member, 'Taken out')
  const { song } = await pool.ask(uploadedSongs.getSongEntry, { entity_id }, member.token)
  await pool.ctx.sql.begin((sql) => unpublishSong(sql, song.listed_entity_id ?? 0))
  await runInDays(91, async () => {
    await expireSongs(pool.ctx)
    expect(await errorOf(pool.ask(uploadedSongs.renewSong, { entity_id }, member.token))).toMatchObject({
      code: 'song_unpublished',
    })
    expect((await stateOf(member, entity_id))[1]).toBe(false)
  })
})

const emailsTo = (member: Member) => pool.ctx.sql<{ subject: string }[]>`
  select subject from outgoing_mail where owner = ${`customer ${member.customer_id}`} and subject like '%expire%' order by mail_id`

test('songs that expire within a day of each other are in one email', async () => {
  const member = await aMember(pool.ctx, { group_id: 3 })
  await aPublished(member, 'Published first')
  await runInDays(0.5, () => aPublished(member, 'Published twelve hours later').then(() => undefined))
  for (const days of [83.2, 83.7]) await runInDays(days, async () => void (await remindUploaders(pool.ctx)))
  expect((await emailsTo(member)).map(({ subject }) => subject)).toEqual(['2 of your songs expire soon'])
})

test('reminds an uploader owner change is pending too: the song expires all the same', async () => {
  const member = await aMember(pool.ctx, { group_id: 3 })
  const published = await aPublished(member, 'Changed')
  await change(member, published, { title: 'Changed again' })
  await runInDays(84, async () => {
    while (await remindUploaders(pool.ctx));
  })
  expect(await emailsTo(member)).toMatchObject([{ subject: '“Changed again” expires soon' }])
})

test('a song that cannot be unpublished does not prevent others from expiring', async () => {
  const member = await aMember(pool.ctx, { group_id: 3 })
  const stuckSong = await aPublished(member, 'Stuck')
  await runInDays(0.1, async () => {
    const next = await aPublished(member, 'Next')
    const [row] = await pool.ctx.sql<{ entity_id: number }[]>`
      select entity_id from upload_song where upload_song_id = ${stuckSong.entity_id}`
    const name = pool.ctx.sql(`keep_${row?.entity_id}`)
    await pool.ctx.sql`
      alter table song add constraint ${name} check (entity_id <> ${pool.ctx.sql.unsafe(String(row?.entity_id))} or status = 'published')`
    clock.days = 95
    expect(await expireSongs(pool.ctx)).toBe(false)
    expect(await stateOf(member, next.entity_id)).toEqual(['expired', false])
    await pool.ctx.sql`alter table song drop constraint ${name}`
    await expireSongs(pool.ctx)
    expect(await stateOf(member, stuckSong.entity_id)).toEqual(['expired', false])
  })
})
