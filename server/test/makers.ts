import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { StaffRole } from '@dubplate/contract'
import { type Algorithm, hash } from '@node-rs/argon2'
import type { AppContext } from '../src/app-context.ts'
import { readPayload } from '../src/audio-files/payload.ts'
import { addVersion, countNewSong, findOrAddSong, listSong, type NewSong } from '../src/catalogue/additions.ts'
import { openSession, openSignUpSession } from '../src/membership/session.ts'
import { makeMp3 } from './audio-files.ts'

let n = 0

/** Verifying such a hash takes a thousandth of the time of one that the server makes, with 19 MiB and two passes. */
const hashFast = (password: string) =>
  hash(password.normalize('NFKC'), {
    algorithm: 2 satisfies Algorithm.Argon2id as Algorithm,
    memoryCost: 8,
    timeCost: 1,
    parallelism: 1,
  })

const TEST_CLIENT = { ip: '127.0.0.1', userAgent: 'test' }

type MemberOverrides = {
  email?: string
  password?: string
  group_id?: number
  payment_profile_status?: 'paid' | 'unpaid'
  application?: 'approved' | 'pending' | 'declined' | 'none'
  status?: 'active' | 'suspended'
  staff_role?: StaffRole
}

/** A member with an open session: a paying DJ by default. */
export async function aMember({ sql }: AppContext, overrides: MemberOverrides = {}) {
  const email = overrides.email ?? `member${++n}@example.test`
  const passwordHash = overrides.password
    ? await hashFast(overrides.password)
    : '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$none'
  const [member] = await sql<{ customer_id: number }[]>`
    insert into customer (email, dj_name, password_hash, group_id, payment_profile_status, status, staff_role)
    values (${email}, ${`DJ ${n}`}, ${passwordHash}, ${overrides.group_id ?? 2}, ${overrides.payment_profile_status ?? 'paid'}, ${overrides.status ?? 'active'},
      ${overrides.staff_role ?? null})
    returning customer_id`
  if (!member) throw new Error('no member')
  const application = overrides.application ?? 'approved'
  if (application !== 'none') {
    await sql`insert into dj_application (customer_id, state) values (${member.customer_id}, ${application})`
  }
  const token = await openSession(sql, member.customer_id, 'member', TEST_CLIENT)
  return { ...member, email, token }
}

/** An applicant who has yet to confirm the email address, with the token for applying. */
export async function aSignUp(
  { sql }: AppContext,
  overrides: { email?: string; password?: string; applied?: boolean } = {},
) {
  const email = overrides.email ?? `signup${++n}@example.test`
  const passwordHash = overrides.password ? await hashFast(overrides.password) : '!'
  const [signUp] = await sql<{ sign_up_id: number }[]>`
    insert into sign_up (email, dj_name, password_hash, applied_at)
    values (${email}, ${`DJ ${n}`}, ${passwordHash}, ${overrides.applied ? new Date() : null}) returning sign_up_id`
  if (!signUp) throw new Error('no sign-up')
  return { ...signUp, email, token: await openSignUpSession(sql, signUp.sign_up_id, TEST_CLIENT) }
}

/** A genre, below another one if a parent is given. */
export async function aGenre(
  { sql }: AppContext,
  name: string,
  overrides: { genre_id?: number; parent_id?: number; kind?: 'genre' | 'mood' } = {},
) {
  const genreId = overrides.genre_id ?? 5000 + ++n
  await sql`insert into genre (genre_id, name, parent_id, kind) values (${genreId}, ${name}, ${overrides.parent_id ?? null}, ${overrides.kind ?? 'genre'})`
  return genreId
}

type SongOverrides = Partial<NewSong> & {
  genres?: number[]
  versions?: string[]
  seconds?: number
  /** The files of the versions, instead of generated MP3s. */
  wavs?: Buffer[]
}

/** A published song whose versions have real, playable files with different content in storage. */
export async function aSong(ctx: AppContext, overrides: SongOverrides = {}) {
  const files: ({ label: string } & Awaited<ReturnType<typeof aFile>>)[] = []
  for (const [n, label] of (overrides.versions ?? ['Clean']).entries()) {
    files.push({ label, ...(await aFile(ctx, overrides.seconds ?? 1, overrides.wavs?.[n])) })
  }
  return ctx.sql.begin(async (sql) => {
    const song = { title: `Song ${++n}`, artist: `Artist ${n}`, ...overrides }
    const { entity_id } = await findOrAddSong(sql, song)
    const versionIds: number[] = []
    for (const [position, { label, file_id }] of files.entries()) {
      versionIds.push(
        await addVersion(sql, entity_id, {
          label,
          position,
          file_id,
          duration_seconds: overrides.seconds ?? 1,
          loudness_lufs: -9,
        }),
      )
    }
    await countNewSong(sql, song.song_section_id ?? 1)
    await listSong(sql, entity_id, overrides.genres ?? [])
    return { entity_id, versionIds, title: song.title, artist: song.artist, files }
  })
}

/** An ID3v1 tag that no other file has. */
const uniqueTag = () => Buffer.concat([Buffer.from('TAG'), randomBytes(125)])

/** Few, so that songs with as many versions sound different and no test has to wait for the encoder. */
const TONES = [220, 330, 440, 550, 660, 770, 880, 990]
let files = 0

/** A stored file with unique content, with its preview: an MP3, or the given WAV. */
export async function aFile(ctx: AppContext, seconds = 1, wav?: Buffer) {
  const mp3 = await makeMp3({ seconds, tone: TONES[files++ % TONES.length] })
  const bytes = wav ?? Buffer.concat([mp3, uniqueTag()])
  const format = wav ? 'wav' : 'mp3'
  const scratchPath = await ctx.storage.scratch(`made.${format}`)
  await writeFile(scratchPath, bytes)
  const { sha256 } = await ctx.storage.putFile('audio', scratchPath)
  const preview = await ctx.storage.putBytes('previews', Buffer.concat([mp3, uniqueTag()]), '.mp3')
  const body = await readPayload(scratchPath, format)
  const [file] = await ctx.sql<{ file_id: number }[]>`
    insert into file (sha256, bytes, format, body)
    values (${Buffer.from(sha256, 'hex')}, ${bytes.length}, ${format}, ${ctx.sql.json(body as never)}) returning file_id`
  if (!file) throw new Error('no file')
  await ctx.sql`insert into preview (file_id, sha256, bytes) values (${file.file_id}, ${Buffer.from(preview.sha256, 'hex')}, ${preview.bytes})`
  return { ...file, sha256, bytes }
}
