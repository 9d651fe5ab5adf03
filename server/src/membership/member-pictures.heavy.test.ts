import { randomBytes } from 'node:crypto'
import { account, membership } from '@dubplate/contract'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { drawingLimiter } from '../platform/redrawn-pictures.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

type FormPart = { name?: string; filename?: string; bytes: Buffer }

let ip = 0
/** Uploads files like a browser (RFC 7578). */
async function upload(token: string | { inQuery: string }, parts: FormPart[], headers: Record<string, string> = {}) {
  const boundary = 'a-boundary'
  const updated = parts.flatMap(({ name = 'UploadFilesForm[files]', filename = 'me.jpg', bytes }) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${filename}"\r\ncontent-type: image/jpeg\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ])
  const response = await pool.app.inject({
    method: 'POST',
    url: `/api/${account.uploadPicture.path}${typeof token === 'string' ? '' : `?token=${token.inQuery}`}`,
    headers: {
      ...(typeof token === 'string' ? { authorization: `Bearer ${token}` } : {}),
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...headers,
    },
    payload: Buffer.concat([...updated, Buffer.from(`--${boundary}--\r\n`)]),
    remoteAddress: `10.3.0.${++ip}`,
  })
  return { status: response.statusCode, ...response.json() }
}

/** Red on the left, blue on the right. */
function aPicture(width: number, height: number) {
  const half = { create: { width: width / 2, height, channels: 3 as const, background: '#00f' } }
  return sharp({ create: { width, height, channels: 3, background: '#f00' } }).composite([
    { input: half, left: width / 2, top: 0 },
  ])
}

const plainPicture = (background: string) =>
  sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .png()
    .toBuffer()

async function readStoredPicture(address: string) {
  const sha256 = address.split('/')[2] ?? ''
  return sharp(await pool.ctx.storage.readAll('images', sha256))
}

async function colourAt(picture: Sharp, left: number, top: number) {
  const [r = 0, g = 0, b = 0] = await picture
    .clone()
    .extract({ left, top, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer()
  return r > 200 && g < 60 && b < 60 ? 'red' : b > 200 && r < 60 && g < 60 ? 'blue' : `${r} ${g} ${b}`
}

test('accepts the token in the query of a file upload, as specified, but not of other requests', async () => {
  const { token } = await aMember(pool.ctx)
  const bytes = await plainPicture('#0a0')
  const sent = await upload({ inQuery: token }, [{ bytes }])
  expect(sent).toMatchObject({ status: 200, data: { profile_picture: expect.stringMatching(/^\/images\//) } })
  expect(await upload({ inQuery: 'nobody' }, [{ bytes }])).toMatchObject({ status: 401 })
  const other = await pool.app.inject({
    method: 'POST',
    url: `/api/${membership.getProfile.path}?token=${token}`,
    payload: {},
  })
  expect(other.statusCode).toBe(401)
})

test('stores a picture upright as a square of 512 pixels, without its location', async () => {
  const { token } = await aMember(pool.ctx)
  const jpeg = await aPicture(1200, 800)
    .withExif({ IFD0: { Make: 'Phone' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
    .jpeg()
    .toBuffer()
  // Orientation 6: the camera was held upright, and the top is on the right of the stored picture.
  const upright = await sharp(jpeg).keepExif().withMetadata({ orientation: 6 }).toBuffer()
  expect((await sharp(upright).metadata()).exif?.toString('latin1')).toContain('Phone')
  const { status, data } = await upload(token, [{ bytes: upright }])
  expect(status).toBe(200)
  const stored = await readStoredPicture(data.profile_picture)
  expect(await stored.metadata()).toMatchObject({ format: 'webp', width: 512, height: 512 })
  expect((await stored.metadata()).exif).toBeUndefined()
  expect([await colourAt(stored, 256, 20), await colourAt(stored, 256, 490)]).toEqual(['red', 'blue'])
  const { profile } = await pool.ask(membership.getProfile, {}, token)
  expect(profile.profile_picture).toBe(data.profile_picture)
  const shown = await pool.app.inject({ url: data.profile_picture })
  expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/webp'])
})

test.each([
  ['PNG', (picture: Sharp) => picture.png()],
  ['WebP', (picture: Sharp) => picture.webp()],
  ['AVIF', (picture: Sharp) => picture.avif({ effort: 0 })],
  ['GIF', (picture: Sharp) => picture.gif()],
])('crops a %s to its middle', async (_format, as) => {
  const { token } = await aMember(pool.ctx)
  const { status, data } = await upload(token, [{ bytes: await as(aPicture(300, 100)).toBuffer() }])
  expect(status).toBe(200)
  const stored = await readStoredPicture(data.profile_picture)
  expect([await colourAt(stored, 100, 256), await colourAt(stored, 400, 256)]).toEqual(['red', 'blue'])
})

test('stores the first frame of an animation', async () => {
  const { token } = await aMember(pool.ctx)
  const frames = [await plainPicture('#f00'), await plainPicture('#00f')]
  const bytes = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  const { data } = await upload(token, [{ bytes }])
  const stored = await readStoredPicture(data.profile_picture)
  expect(await stored.metadata()).toMatchObject({ width: 512, height: 512 })
  expect(await colourAt(stored, 256, 256)).toBe('red')
})

test('uses the first of two files, and refuses three', async () => {
  const { token } = await aMember(pool.ctx)
  const red = await plainPicture('#f00')
  const parts = [{ bytes: red }, { bytes: await plainPicture('#00f') }]
  const { data } = await upload(token, parts)
  expect(await colourAt(await readStoredPicture(data.profile_picture), 256, 256)).toBe('red')
  const third = await upload(token, [...parts, { bytes: red }])
  expect(third).toMatchObject({ status: 422, code: 'too_many_files', message: 'You can upload up to 2 pictures.' })
})

test('of two simultaneous uploads only the picture that is shown is stored', async () => {
  const { token } = await aMember(pool.ctx)
  const pictures = await Promise.all(['#0f0', '#0ff'].map(plainPicture))
  const replies = await Promise.all(pictures.map((bytes) => upload(token, [{ bytes }])))
  const addresses = replies.map(({ data }) => String(data.profile_picture))
  const stored = await Promise.all(
    addresses.map(async (one) => ((await pool.ctx.storage.has('images', one.split('/')[2] ?? '')) ? [one] : [])),
  )
  const { profile } = await pool.ask(membership.getProfile, {}, token)
  expect(stored.flat()).toEqual([profile.profile_picture])
})

test('processes one picture at a time, and refuses uploads when too many are waiting', async () => {
  const { token } = await aMember(pool.ctx)
  const bytes = await plainPicture('#ff0')
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  const waitingRequests = Array.from({ length: 21 }, () => drawingLimiter.pass(() => held))
  expect(await upload(token, [{ bytes }])).toMatchObject({ status: 503, code: 'service_unavailable' })
  release()
  await Promise.all(waitingRequests)
  expect(await upload(token, [{ bytes }])).toMatchObject({ status: 200 })
})

test('does not store a picture that is processed after its account was deleted', async () => {
  const password = 'a good long password'
  const { customer_id, token } = await aMember(pool.ctx, { password })
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  const drawingPasses = vi.spyOn(drawingLimiter, 'pass')
  const before = drawingLimiter.pass(() => held)
  const sent = upload(token, [{ bytes: await plainPicture('#f0f') }])
  await expect.poll(() => drawingPasses.mock.calls.length).toBe(2)
  drawingPasses.mockRestore()
  await pool.ask(account.deleteAccount, { password }, token)
  release()
  await before
  expect(await sent).toMatchObject({ status: 401, code: 'session_expired' })
  const [row] = await pool.ctx.sql`select profile_picture from customer where customer_id = ${customer_id}`
  expect(row).toEqual({ profile_picture: null })
})

test('refuses a file that is not a picture, whatever its name', async () => {
  const { token } = await aMember(pool.ctx)
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64"/></svg>',
  )
  const broken = Buffer.concat([Buffer.from('\xff\xd8\xff\xe0', 'latin1'), randomBytes(2000)])
  for (const bytes of [Buffer.from('this is text'), svg, broken]) {
    expect(await upload(token, [{ bytes }])).toMatchObject({ status: 422, code: 'invalid_image' })
  }
  expect((await pool.ask(membership.getProfile, {}, token)).profile.profile_picture).toBeNull()
})

test('refuses a small file with too many pixels before decoding it', async () => {
  const { token } = await aMember(pool.ctx)
  const bytes = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#000' } })
    .png({ compressionLevel: 9 })
    .toBuffer()
  expect(bytes.length).toBeLessThan(500_000)
  expect(await upload(token, [{ bytes }])).toMatchObject({ status: 422, code: 'invalid_image' })
})

test('accepts pictures of up to ten megabytes', async () => {
  const { token } = await aMember(pool.ctx)
  const picture = await aPicture(100, 100).jpeg().toBuffer()
  const bytes = Buffer.concat([picture, Buffer.alloc(11 * 1024 * 1024)])
  expect(await upload(token, [{ bytes }])).toMatchObject({
    status: 413,
    code: 'too_large',
    message: 'The picture is too large. The limit is 10 MB.',
  })
})

test('refuses a form without a picture, and files that are not sent as a form', async () => {
  const { token } = await aMember(pool.ctx)
  expect(await upload(token, [])).toMatchObject({ status: 422, code: 'file_required' })
  expect(await upload(token, [{ bytes: Buffer.alloc(0) }])).toMatchObject({ status: 422, code: 'file_required' })
  expect(await upload(token, [{ name: 'other', bytes: Buffer.from('x') }])).toMatchObject({ code: 'file_required' })
  const jsonResponse = await pool.request(account.uploadPicture, {}, token)
  expect([jsonResponse.statusCode, jsonResponse.json().code]).toEqual([415, 'unsupported_media_type'])
  const form = { 'content-type': 'multipart/form-data; boundary=x', authorization: `Bearer ${token}` }
  const calls = [membership.signOut, membership.getProfile]
  for (const { path } of calls) {
    const response = await pool.app.inject({ method: 'POST', url: `/api/${path}`, headers: form, payload: '--x--\r\n' })
    expect([response.statusCode, response.json().code]).toEqual([415, 'unsupported_media_type'])
  }
})

test('an incomplete form is refused, not a server error', async () => {
  const { token } = await aMember(pool.ctx)
  const send = async (type: string, payload: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type }
    const url = `/api/${account.uploadPicture.path}`
    const response = await pool.app.inject({ method: 'POST', url, headers, payload, remoteAddress: '10.4.0.1' })
    return [response.statusCode, response.json().code]
  }
  const half = '--x\r\ncontent-disposition: form-data; name="UploadFilesForm[files]"; filename="me.jpg"\r\n\r\nabc'
  expect(await send('multipart/form-data; boundary=x', half)).toEqual([400, 'invalid_request'])
  expect(await send('multipart/form-data', half)).toEqual([400, 'invalid_request'])
})

test('the token of a form does not sign anyone in', async () => {
  const { token } = await aMember(pool.ctx)
  const form = [{ name: 'token', filename: '', bytes: Buffer.from(token) }]
  expect(await upload(token, form, { authorization: '' })).toMatchObject({ status: 401, code: 'not_signed_in' })
})

test('a removed picture is replaced by the initials, and deleted unless someone else uses it', async () => {
  const [one, two] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  const bytes = await aPicture(64, 64).png().toBuffer()
  const { data } = await upload(one.token, [{ bytes }])
  await upload(two.token, [{ bytes }])
  const statusOf = async () => (await pool.app.inject({ url: data.profile_picture })).statusCode
  await pool.ask(account.removePicture, {}, one.token)
  expect((await pool.ask(membership.getProfile, {}, one.token)).profile.profile_picture).toBeNull()
  expect(await statusOf()).toBe(200)
  await upload(two.token, [{ bytes: await aPicture(64, 32).png().toBuffer() }])
  expect(await statusOf()).toBe(404)
})
