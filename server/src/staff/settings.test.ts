import {
  catalogue,
  charts,
  downloads,
  newsletter,
  operations,
  settings,
  site,
  spotlights,
  uploadedSongs,
} from '@dubplate/contract'
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { deliverMail, type MailServer, openMailServer } from '../../test/mail-server.ts'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { anUpload, songData } from '../../test/upload-makers.ts'
import { makeApp } from '../app.ts'
import type { AppContext } from '../app-context.ts'
import { renderEmail } from '../platform/email-template.ts'
import { queueMail } from '../platform/outbox.ts'
import { followSettings } from '../platform/settings.ts'
import { createAppContext } from '../process.ts'
import { applyBranding } from '../site/branding.ts'

const DAY_MS = 24 * 3600 * 1000

let pool: TestPool
/** Another process with the same database. */
let other: { ctx: AppContext; app: FastifyInstance }
let mails: MailServer
let admin: Awaited<ReturnType<typeof aMember>>

beforeAll(async () => {
  mails = await openMailServer()
  pool = await openTestPool({
    config: { smtpUrl: mails.url, publicUrl: 'https://pool.test' },
    settings: { poolName: 'Night Shift', mailFrom: { name: '', address: 'no-reply@pool.test' } },
    usesUniqueAddresses: true,
  })
  const { config, log, sql } = pool.ctx
  const ctx = await createAppContext(config, log, { sql })
  other = { ctx, app: await makeApp(ctx) }
  admin = await aMember(pool.ctx, { staff_role: 'admin' })
})
afterEach(async () => {
  await pool.ctx.sql`delete from setting`
  await pool.ctx.settings.renew()
  await other.ctx.settings.renew()
})
afterAll(async () => {
  await other.app.close()
  await pool.close()
  await mails.close()
})

const read = () => pool.ask(settings.getSettings, {}, admin.token)

type SettingsInput = Parameters<typeof pool.ask<typeof settings.saveSettings>>[1]

/** Sets a group, whatever its version. */
async function set(group: SettingsInput['group'], values: object) {
  const { groups } = await read()
  return pool.ask(
    settings.saveSettings,
    { group, version: groups[group].version, values } as SettingsInput,
    admin.token,
  )
}

test('an admin’s setting overrides the environment, is marked, and can be reset', async () => {
  const before = await read()
  expect(before.settings.pool_name).toEqual({ value: 'Night Shift', first: 'Night Shift', is_overridden: false })
  const after = await set('name', { pool_name: '  Day Shift ' })
  expect(after.settings.pool_name).toEqual({ value: 'Day Shift', first: 'Night Shift', is_overridden: true })
  expect(after.groups.name).toMatchObject({ version: 1, changed_by: expect.stringMatching(/^DJ/) })
  // The sender has the pool's name as long as it has none of its own.
  expect(after.settings.mail_from).toMatchObject({ value: { name: 'Day Shift' }, is_overridden: false })
  expect((await pool.ask(site.getPool, {})).name).toBe('Day Shift')
  const back = await set('name', { pool_name: null })
  expect(back.settings.pool_name).toMatchObject({ value: 'Night Shift', is_overridden: false })
})

test('a change in one process applies in the other without a restart', async () => {
  const settingsFollower = followSettings(other.ctx.settings, other.ctx.log)
  await set('name', { pool_name: 'Everywhere' })
  expect(pool.ctx.settings.poolName).toBe('Everywhere')
  await vi.waitFor(() => expect(other.ctx.settings.poolName).toBe('Everywhere'), { timeout: 60_000, interval: 50 })
  expect((await other.app.inject('/manifest.webmanifest')).json().name).toBe('Everywhere')
  await settingsFollower.stop()
})

test('the second of two admins gets a conflict, and the first one’s change is preserved', async () => {
  const { groups } = await read()
  const save = (download_limit: number) =>
    pool.ask(
      settings.saveSettings,
      { group: 'limits', version: groups.limits.version, values: { download_limit } },
      admin.token,
    )
  const saved = await Promise.allSettled([save(3), save(4)])
  expect(saved.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await errorOf(save(5))).toMatchObject({ status: 409, code: 'conflict' })
  // Another group is not affected.
  await set('visitors', { public_browsing: true })
})

test('each change is recorded with the values before and after', async () => {
  await set('limits', { download_limit: 3 })
  await set('limits', { download_limit: 5, rescue_days: 7 })
  const { entries: auditEntries } = await pool.ask(operations.getAudit, { action: 'settings updated' }, admin.token)
  expect(auditEntries[0]).toMatchObject({
    staff: { customer_id: admin.customer_id },
    subject: 'settings limits',
    changes: [
      { field: 'download_limit', before: '3', after: '5' },
      { field: 'rescue_days', before: null, after: '7' },
    ],
  })
})

test('only admins can read or change them', async () => {
  const curator = await aMember(pool.ctx, { staff_role: 'curator' })
  expect(await errorOf(pool.ask(settings.getSettings, {}, curator.token))).toMatchObject({
    code: 'insufficient_role',
  })
})

test('shows the values of the environment without secrets', async () => {
  const secret = 'hush-hush'
  const config = {
    ...pool.ctx.config,
    smtpUrl: `smtps://me:${secret}@mail.test:465`,
    databaseUrl: `postgres://me:${secret}@db.test/pool?password=${secret}`,
    oidc: { issuer: 'https://id.test', clientId: 'pool', clientSecret: secret, name: 'Guild' },
  }
  const ctx = { ...pool.ctx, config }
  const app = await makeApp(ctx)
  const reply = await app.inject({
    method: 'POST',
    url: `/api/${settings.getSettings.path}`,
    payload: {},
    headers: { authorization: `Bearer ${admin.token}` },
  })
  await app.close()
  expect(reply.statusCode).toBe(200)
  expect(reply.body).toContain('smtps://mail.test:465')
  expect(reply.body).toContain('db.test/pool')
  expect(reply.body).not.toContain(secret)
  expect(reply.body).not.toContain(pool.ctx.config.secret)
})

test.each([
  ['name', { pool_name: '' }, 'values.pool_name', 'Enter a name.'],
  [
    'limits',
    { download_limit: 21 },
    'values.download_limit',
    'The number of downloads must be a whole number from 1 to 20.',
  ],
  ['limits', { upload_days: 0 }, 'values.upload_days', 'The number of days must be a whole number from 1 to 3650.'],
  [
    'store',
    { store_url: 'javascript:alert(1)' },
    'values.store_url',
    'Enter a full URL, such as https://store.example/.',
  ],
  ['sender', { mail_from: { name: 'A\nB', address: 'a@b.test' } }, 'values.mail_from.name', /line breaks/],
  ['sender', { mail_from: { name: 'A', address: 'not an address' } }, 'values.mail_from.address', /mail address/],
  ['accent', { accent: { night: 'red', day: '#000000' } }, 'values.accent.night', 'Enter a colour such as #c8f135.'],
  ['sections', { hidden: ['everything'] }, 'values.hidden.0', 'Unknown section.'],
])('rejects %s %o at its field', async (group, values, field, sentence) => {
  const reply = await pool.request(settings.saveSettings, { group, version: 0, values }, admin.token)
  expect([reply.statusCode, reply.json().code]).toEqual([400, 'invalid_request'])
  expect(reply.json().fields[field]).toEqual(typeof sentence === 'string' ? sentence : expect.stringMatching(sentence))
})

test('rejects an unreadable accent and proposes the nearest readable one', async () => {
  const wrongInput = { group: 'accent', version: 0, values: { accent: { night: '#1a2b6d', day: '#476500' } } }
  const reply = await pool.request(settings.saveSettings, wrongInput, admin.token)
  expect([reply.statusCode, reply.json().code]).toEqual([422, 'insufficient_contrast'])
  const { fields, data } = reply.json()
  expect(Object.keys(fields)).toEqual(['values.accent.night'])
  expect(fields['values.accent.night']).toContain(data.night)
  const saved = await set('accent', { accent: { night: data.night, day: data.day } })
  expect(saved.settings.accent.value).toEqual(data)
})

test('the accent is in the page, by a URL with unlimited caching, and in the manifest', async () => {
  const { theme } = await pool.ask(site.getPool, {})
  expect(theme).toBeNull()
  await set('accent', { accent: { night: '#ffb454', day: '#7a4b00' } })
  const looks = await pool.ask(site.getPool, {})
  const page = applyBranding('<title>Dubplate</title><link rel="stylesheet" href="/assets/x.css">', pool.ctx.settings)
  expect(page).toContain(
    `<link rel="stylesheet" href="/assets/x.css">\n    <link rel="stylesheet" id="theme" href="${looks.theme}">`,
  )
  // The other process does not know the change yet, and must not serve its own colours under that name.
  const css = await other.app.inject(looks.theme ?? '')
  expect(css.headers).toMatchObject({
    'content-type': 'text/css; charset=utf-8',
    'cache-control': expect.stringContaining('immutable'),
  })
  expect(css.body).toContain('--accent:#ffb454')
  // In light mode buttons stay black: no dark-mode token applies there.
  expect(css.body).not.toContain(':root')
  expect(css.body).toContain('--accent-ink:#7a4b00')
  expect((await pool.app.inject('/theme.css?v=older')).headers['cache-control']).toBe('no-cache')
  expect((await pool.app.inject('/manifest.webmanifest')).json().theme_color).toBe('#ffb454')
})

test('escapes values inserted into the page', async () => {
  await set('name', { pool_name: "O'Neil & </script> Co".replace(/[<>]/g, '') })
  const hostile = {
    ...pool.ctx.settings,
    poolName: '</script><img src=x onerror=alert(1)>',
    hidden: new Set<never>(),
  }
  const page = applyBranding('<title>Dubplate</title><i>dubplate</i><noscript>Dubplate</noscript>', hostile)
  expect(page).not.toContain('<img')
  expect(page.match(/<\/script>/g)).toHaveLength(1)
})

test('the download limit applies to the next download', async () => {
  const member = await aMember(pool.ctx)
  const { entity_id, versionIds } = await aSong(pool.ctx)
  const startDownload = () => pool.ask(downloads.downloadVersion, { version: versionIds[0] ?? 0 }, member.token)
  const finish = async () => {
    await pool.ctx
      .sql`update download set completed_at = now() - interval '1 hour' where customer_id = ${member.customer_id}`
    await pool.ctx.sql`update download_grant set open_download_id = null where customer_id = ${member.customer_id}`
  }
  await set('limits', { download_limit: 1 })
  expect(await startDownload()).toMatchObject({ used: 1, limit: 1 })
  await finish()
  expect(await errorOf(startDownload())).toMatchObject({ code: 'download_limit_reached' })
  const readShown = async () => {
    const { songs } = await pool.ask(catalogue.getNewRelease, {})
    return songs.find((song) => song.entity_id === entity_id)?.version[0]?.download
  }
  // A reply cached for a second must not outlive a change within that second.
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
  expect(await readShown()).toEqual([1])
  await set('limits', { download_limit: 3 })
  expect(await readShown()).toEqual([1, 2, 3])
  clock.mockRestore()
  expect(await startDownload()).toMatchObject({ used: 2, limit: 3 })
})

test('an uploaded song stays for the set number of days; existing ones keep their expiry date', async () => {
  const member = await aMember(pool.ctx, { group_id: 3 })
  const house = await aGenre(pool.ctx, 'House of settings')
  const create = async () => {
    const song = await anUpload(pool.ctx, member)
    const input = {
      songData: songData({ genres: [house], title: `Of ${song}` }),
      versions: [{ new_label: 'Clean', song }],
    }
    return (await pool.ask(uploadedSongs.createSong, input, member.token)).entity_id
  }
  const toDays = async (entity_id: number) => {
    const { song } = await pool.ask(uploadedSongs.getSongEntry, { entity_id }, member.token)
    return Math.round((new Date(song.expire_date).getTime() - Date.now()) / DAY_MS)
  }
  const before = await create()
  await set('limits', { upload_days: 30 })
  expect(await toDays(await create())).toBe(30)
  expect(await toDays(before)).toBe(90)
  await pool.ask(uploadedSongs.renewSong, { entity_id: before }, member.token)
  expect(await toDays(before)).toBe(30)
})

test('the next email has the new sender', async () => {
  await set('sender', { mail_from: { name: 'The Door', address: 'door@pool.test' } })
  await set('name', { pool_name: 'Door Policy' })
  const email = renderEmail(pool.ctx.settings.emailSender, {
    to: 'dj@example.test',
    subject: 'News',
    lines: ['Hello.'],
  })
  await queueMail(pool.ctx.sql, email, { reference: `customer ${admin.customer_id}` })
  // A worker that has not seen the change since its last poll.
  await other.ctx.settings.renew()
  await deliverMail(other.ctx)
  expect(mails.mails.at(-1)).toMatchObject({
    from: { name: 'The Door', address: 'door@pool.test' },
    text: expect.stringContaining('Door Policy\nhttps://pool.test'),
  })
})

test('sends a test email immediately from a sender that is not saved, and reports the server’s response', async () => {
  const mail_from = { name: 'Trial', address: 'trial@pool.test' }
  const sent = await pool.ask(settings.sendTestMail, { mail_from }, admin.token)
  expect(sent).toEqual({ to: admin.email, sent: true, said: 'The mail server accepted the email.' })
  expect(mails.mails.at(-1)?.from).toMatchObject({ address: 'trial@pool.test' })
  expect((await read()).settings.mail_from.is_overridden).toBe(false)
  const strict = await openMailServer({ reject: () => '550 5.7.1 Not from there' })
  const ctx = { ...pool.ctx, config: { ...pool.ctx.config, smtpUrl: strict.url } }
  const app = await makeApp(ctx)
  const reply = await app.inject({
    method: 'POST',
    url: `/api/${settings.sendTestMail.path}`,
    payload: { mail_from },
    headers: { authorization: `Bearer ${admin.token}` },
  })
  expect(reply.json().data).toMatchObject({ sent: false, said: expect.stringContaining('Not from there') })
  await app.close()
  await strict.close()
})

test('visitors can no longer browse at once, not even with cached replies, and can again at once', async () => {
  const { entity_id, versionIds } = await aSong(pool.ctx)
  const list = { url: '/api/song/get-song.json', method: 'POST', payload: { entity_id } } as const
  const open = await pool.app.inject(list)
  expect(open.statusCode).toBe(200)
  const { song } = await pool.ask(catalogue.getSong, { entity_id })
  const preview = song.version.find(({ song_version_id }) => song_version_id === versionIds[0])?.mp3 ?? ''
  expect((await pool.app.inject(preview)).statusCode).toBe(200)
  await set('visitors', { public_browsing: false })
  const kept = { ...list, headers: { 'if-none-match': String(open.headers.etag) } }
  expect((await pool.app.inject(kept)).json()).toMatchObject({ code: 'not_signed_in' })
  expect((await pool.app.inject(preview)).statusCode).toBe(401)
  await set('visitors', { public_browsing: true })
  expect((await pool.app.inject(list)).statusCode).toBe(200)
})

test('a hidden section is reported, its endpoints fail, and unsubscribing from the newsletter still works', async () => {
  const mood = await aGenre(pool.ctx, 'Late', { kind: 'mood' })
  const member = await aMember(pool.ctx, { group_id: 3 })
  const all = await set('sections', { hidden: [...settings.SECTIONS] })
  expect(all.settings.hidden.value).toEqual([...settings.SECTIONS])
  expect((await pool.ask(site.getPool, {})).hidden).toEqual([...settings.SECTIONS])
  const hidden = { status: 404, code: 'section_disabled' }
  expect(await errorOf(pool.ask(charts.getChart, {}))).toMatchObject(hidden)
  expect(await errorOf(pool.ask(catalogue.getNewRelease, {}))).toMatchObject(hidden)
  expect(await errorOf(pool.ask(spotlights.getSpotlights, {}))).toMatchObject(hidden)
  expect(await errorOf(pool.ask(charts.getTop20Tracks, {}))).toMatchObject(hidden)
  expect(await errorOf(pool.ask(catalogue.genreSongs, { genre_id: mood }))).toMatchObject(hidden)
  expect(await errorOf(pool.ask(catalogue.getSongGenres, { song_section_id: 2 }))).toMatchObject(hidden)
  expect((await pool.ask(catalogue.getGenresWithCount, {})).moods).toEqual([])
  expect((await pool.ask(site.getProducts, {})).products).toEqual([])
  expect(await errorOf(pool.ask(site.getOpenings, {}))).toMatchObject(hidden)
  expect(await errorOf(pool.ask(site.getPage, { slug: 'careers' }))).toMatchObject(hidden)
  expect(await errorOf(pool.ask(newsletter.subscribe, { email: 'a@b.test' }))).toMatchObject(hidden)
  expect(await errorOf(pool.ask(newsletter.unsubscribe, { token: 'x'.repeat(43) }))).toMatchObject({
    code: 'invalid_link',
  })
  expect(await errorOf(pool.ask(uploadedSongs.renewSong, { entity_id: 1 }, member.token))).toMatchObject(hidden)
  const tus = {
    method: 'POST',
    url: '/api/upload/files',
    headers: { authorization: `Bearer ${member.token}` },
  } as const
  expect((await pool.app.inject({ ...tus, headers: { ...tus.headers, 'tus-resumable': '1.0.0' } })).statusCode).toBe(
    404,
  )
  // Their own songs can still be seen and deleted.
  await pool.ask(uploadedSongs.getUploadedSongs, {}, member.token)
})

const png = (side: number, colour = '#ff0000') =>
  sharp({ create: { width: side, height: side, channels: 4, background: colour } })
    .png()
    .toBuffer()

async function sendLogo(bytes: Buffer, type: string, version: number) {
  const form = new FormData()
  form.append('version', String(version))
  form.append('picture', new Blob([new Uint8Array(bytes)], { type }), 'logo')
  const request = new Request('http://pool.test', { method: 'POST', body: form })
  return pool.app.inject({
    method: 'POST',
    url: `/api/${settings.uploadLogo.path}`,
    payload: Buffer.from(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type') ?? '', authorization: `Bearer ${admin.token}` },
    remoteAddress: '10.9.9.9',
  })
}

test('the logo is re-encoded, shown everywhere, and deleted when it is replaced', async () => {
  const sent = await sendLogo(await png(300), 'image/png', 0)
  const { value: logo } = sent.json().data.settings.logo
  for (const shape of ['64', '180', '192', '512', 'maskable', 'wide']) {
    const { statusCode, headers, rawPayload } = await pool.app.inject(`${logo}/${shape}.png`)
    expect([statusCode, headers['content-type'], (await sharp(rawPayload).metadata()).format]).toEqual([
      200,
      'image/png',
      'png',
    ])
  }
  const { icons } = (await pool.app.inject('/manifest.webmanifest')).json()
  expect(icons.map(({ src }: { src: string }) => src)).toEqual([
    `${logo}/192.png`,
    `${logo}/512.png`,
    `${logo}/maskable.png`,
  ])
  // Also by a process that has not received the change yet.
  expect((await other.app.inject(`${logo}/64.png`)).statusCode).toBe(200)
  const email = renderEmail(pool.ctx.settings.emailSender, { to: 'a@b.test', subject: 'News', lines: [] })
  expect(email.html).toContain(`<img src="https://pool.test${logo}/wide.png" alt="Night Shift"`)
  const { version } = sent.json().data.groups.logo
  expect((await sendLogo(await png(200, '#00ff00'), 'image/png', version)).statusCode).toBe(200)
  expect((await pool.app.inject(`${logo}/64.png`)).statusCode).toBe(404)
  expect(await pool.ctx.storage.has('images', logo.split('/')[2])).toBe(false)
  const back = await pool.ask(settings.removeLogo, { version: version + 1 }, admin.token)
  expect(back.settings.logo).toEqual({ value: null, first: null, is_overridden: false })
})

test('detects a picture by its content: rejects SVG, text and pictures that are too small', async () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><rect width="200" height="200"/><script>alert(1)</script></svg>',
  )
  for (const [bytes, code] of [
    [svg, 'invalid_image'],
    [Buffer.from('<html>'), 'invalid_image'],
    [await png(32), 'image_too_small'],
    [Buffer.alloc(0), 'file_required'],
  ] as const) {
    expect((await sendLogo(bytes, 'image/png', 0)).json()).toMatchObject({ code })
  }
  expect((await sendLogo(await png(100), 'image/png', 7)).json()).toMatchObject({ code: 'conflict' })
})

test('ignores a setting of another release and uses the environment', async () => {
  await pool.ctx
    .sql`insert into setting (name, chosen) values ('limits', '{"download_limit": "many"}'), ('weather', '{}')`
  await pool.ctx.settings.renew()
  expect(pool.ctx.settings.downloadLimit).toBe(2)
})
