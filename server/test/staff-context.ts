import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Endpoint, InputOf, ReplyOf } from '@dubplate/contract'
import { runMigrations } from 'graphile-worker'
import sharp from 'sharp'
import { readConfig } from '../src/platform/config.ts'
import { openMailServer } from './mail-server.ts'
import { aMember } from './makers.ts'
import { openTestPool, type TestPool } from './pool.ts'
import { openQueueFor } from './queue-connections.ts'
import { aShopifyProduct, startShopify } from './shopify.ts'
import { aWav } from './upload-makers.ts'

type Member = Awaited<ReturnType<typeof aMember>>

/** A pool in which every staff endpoint can succeed, and an admin to call them. */
export type StaffContext = {
  pool: TestPool
  admin: Member & { password: string }
  /** A folder of the server with one audio file, which may be imported. */
  importFolder: string
  /** Calls a staff endpoint as the admin, to prepare what another one needs. */
  ask<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<ReplyOf<E>>
  close(): Promise<void>
}

const password = 'a good long password'

export async function openStaffContext(): Promise<StaffContext> {
  const importFolder = realpathSync(mkdtempSync(path.join(tmpdir(), 'dubplate-import-')))
  writeFileSync(path.join(importFolder, 'Kwame - Night Drive (Clean).wav'), aWav())
  const backupDir = mkdtempSync(path.join(tmpdir(), 'dubplate-backups-'))
  const [mails, store] = await Promise.all([openMailServer(), startShopify()])
  store.products = [aShopifyProduct({ title: 'Bag' })]
  const { payments } = readConfig({ SECRET: 'x'.repeat(32) })
  const pool = await openTestPool({
    usesUniqueAddresses: true,
    config: {
      backupDir,
      importFolders: [importFolder],
      smtpUrl: mails.url,
      store: store.config,
      payments: { ...payments, gateways: ['sandbox', 'manual'], transferInstructions: 'IBAN DE00 1234' },
    },
  })
  const admin = { ...(await aMember(pool.ctx, { staff_role: 'admin', password })), password }
  // As after the first start of a worker.
  const jobs = await openQueueFor(pool.ctx.sql)
  await runMigrations({ pgPool: jobs })
  return {
    pool,
    admin,
    importFolder,
    ask: (endpoint, input) => pool.ask(endpoint, input, admin.token),
    close: async () => {
      await jobs.end()
      await pool.close()
      await Promise.all([mails.close(), store.close()])
      for (const folder of [importFolder, backupDir]) rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const aPicture = (): Promise<Buffer> =>
  sharp({ create: { width: 200, height: 200, channels: 3, background: '#c33' } })
    .png()
    .toBuffer()

type ReadonlyDeep<T> = T extends (infer U)[]
  ? readonly ReadonlyDeep<U>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
    : T

/** An input of an endpoint, as an object literal has it. */
export type Input<E extends Endpoint> = ReadonlyDeep<InputOf<E>>

/** What is sent to an endpoint that takes files: fields, then one file. */
export type MultipartForm = { fields: Record<string, string | number>; file: [name: string, bytes: Buffer] }

/** The status and body of a staff endpoint that takes files, called as the admin. */
export async function sendForm({ pool, admin }: StaffContext, { path }: Endpoint, { fields, file }: MultipartForm) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append(file[0], new Blob([new Uint8Array(file[1])]), `${file[0]}.png`)
  const body = new Response(form)
  return pool.app.inject({
    method: 'POST',
    url: `/api/${path}`,
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': body.headers.get('content-type') ?? '' },
    payload: Buffer.from(await body.arrayBuffer()),
  })
}
