import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Endpoint, InputOf, RefusalReply, ReplyOf } from '@dubplate/contract'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { inject } from 'vitest'
import { makeApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/platform/config.ts'
import { makeLog } from '../src/platform/log.ts'
import type { FirstSettings } from '../src/platform/settings.ts'
import { makeWorld } from '../src/process.ts'
import type { MusicOnDemand, World } from '../src/world.ts'
import { takeDatabase } from './database-supply.ts'
import { collectUndeclaredCodes } from './undeclared-codes.ts'

export type TestPool = {
  world: World
  app: FastifyInstance
  /** The data of a call's reply; throws RefusedError when it was refused. */
  ask<E extends Endpoint>(endpoint: E, input: InputOf<E>, token?: string): Promise<ReplyOf<E>>
  /** The whole response of a call. */
  request(endpoint: Endpoint, input: unknown, token?: string): Promise<LightMyRequestResponse>
  close(): Promise<void>
}

export class RefusedError extends Error {
  readonly status: number
  readonly reply: RefusalReply

  constructor(status: number, reply: RefusalReply) {
    super(`${status} ${reply.code}: ${reply.message}`)
    this.status = status
    this.reply = reply
  }
}

/**
 * A pool with an empty data folder and a migrated database of its own. With `everyAskFromElsewhere` each request has
 * another address, so that no rate limit per address applies.
 */
export async function openTestPool(
  options: {
    config?: Partial<Config>
    settings?: Partial<FirstSettings>
    music?: MusicOnDemand
    everyAskFromElsewhere?: boolean
  } = {},
): Promise<TestPool> {
  const database = await takeDatabase(inject('socketDir'), inject('snapshot'))
  const dataDir = mkdtempSync(path.join(tmpdir(), 'dubplate-data-'))
  chmodSync(dataDir, 0o755)
  const isLocalOnly = false
  const read = { ...readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }), isLocalOnly, ...options.config }
  const config = { ...read, settings: { ...read.settings, ...options.settings } }
  const world = await makeWorld(config, makeLog(config.logLevel), { sql: database.sql }, options.music)
  const undeclared = collectUndeclaredCodes()
  const app = await makeApp(world, { onUndeclaredCode: undeclared.report })
  await app.ready()
  let asked = 0
  const place = () => (options.everyAskFromElsewhere ? { remoteAddress: `10.1.${++asked >> 8}.${asked & 255}` } : {})
  const request: TestPool['request'] = (endpoint, input, token) =>
    app.inject({
      method: endpoint.method,
      ...place(),
      url: `/api/${endpoint.path}`,
      ...(endpoint.method === 'POST' ? { payload: input as object } : { query: input as Record<string, string> }),
      ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
    })
  return {
    world,
    app,
    request,
    ask: async (endpoint, input, token) => {
      const response = await request(endpoint, input, token)
      if (response.statusCode !== 200) throw new RefusedError(response.statusCode, response.json())
      return response.json().data
    },
    close: async () => {
      await app.close()
      await database.release()
      rmSync(dataDir, { recursive: true, force: true })
      undeclared.check()
    },
  }
}

/** The code a promise was refused with; fails when it was not refused. */
export async function refusalOf(promise: Promise<unknown>): Promise<{ status: number; code: string; message: string }> {
  try {
    await promise
  } catch (error) {
    if (error instanceof RefusedError)
      return { status: error.status, code: error.reply.code, message: error.reply.message }
    throw error
  }
  throw new Error('This was expected to be refused, and was not.')
}
