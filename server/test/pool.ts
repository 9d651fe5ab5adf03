import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Endpoint, ErrorReply, InputOf, ReplyOf } from '@dubplate/contract'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { inject } from 'vitest'
import { makeApp } from '../src/app.ts'
import type { AppContext, OnDemandMusic } from '../src/app-context.ts'
import { type Config, readConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/log.ts'
import type { DefaultSettings } from '../src/platform/settings.ts'
import { createAppContext } from '../src/process.ts'
import { acquireDatabase } from './database-pool.ts'
import { collectUndeclaredCodes } from './undeclared-codes.ts'

export type TestPool = {
  ctx: AppContext
  app: FastifyInstance
  /** The data of an endpoint's reply; throws the error of a failed request. */
  ask<E extends Endpoint>(endpoint: E, input: InputOf<E>, token?: string): Promise<ReplyOf<E>>
  /** The whole response of an endpoint. */
  request(endpoint: Endpoint, input: unknown, token?: string): Promise<LightMyRequestResponse>
  close(): Promise<void>
}

export class ApiCallError extends Error {
  readonly status: number
  readonly reply: ErrorReply

  constructor(status: number, reply: ErrorReply) {
    super(`${status} ${reply.code}: ${reply.message}`)
    this.status = status
    this.reply = reply
  }
}

/**
 * A pool with an empty data folder and its own migrated database. With `usesUniqueAddresses` each request has another
 * address, so that no rate limit per address applies.
 */
export async function openTestPool(
  options: {
    config?: Partial<Config>
    settings?: Partial<DefaultSettings>
    music?: OnDemandMusic
    usesUniqueAddresses?: boolean
  } = {},
): Promise<TestPool> {
  const database = await acquireDatabase(inject('socketDir'), inject('snapshot'))
  const dataDir = mkdtempSync(path.join(tmpdir(), 'dubplate-data-'))
  chmodSync(dataDir, 0o755)
  const isLocalOnly = false
  const read = { ...readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }), isLocalOnly, ...options.config }
  const config = { ...read, settings: { ...read.settings, ...options.settings } }
  const ctx = await createAppContext(config, createLog(config.logLevel), { sql: database.sql }, options.music)
  const undeclared = collectUndeclaredCodes()
  const app = await makeApp(ctx, { onUndeclaredCode: undeclared.report })
  await app.ready()
  let requests = 0
  const clientAddress = () =>
    options.usesUniqueAddresses ? { remoteAddress: `10.1.${++requests >> 8}.${requests & 255}` } : {}
  const request: TestPool['request'] = (endpoint, input, token) =>
    app.inject({
      method: endpoint.method,
      ...clientAddress(),
      url: `/api/${endpoint.path}`,
      ...(endpoint.method === 'POST' ? { payload: input as object } : { query: input as Record<string, string> }),
      ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
    })
  return {
    ctx,
    app,
    request,
    ask: async (endpoint, input, token) => {
      const response = await request(endpoint, input, token)
      if (response.statusCode !== 200) throw new ApiCallError(response.statusCode, response.json())
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

/** The error a promise was rejected with; fails if it was not rejected. */
export async function errorOf(promise: Promise<unknown>): Promise<{ status: number; code: string; message: string }> {
  try {
    await promise
  } catch (error) {
    if (error instanceof ApiCallError)
      return { status: error.status, code: error.reply.code, message: error.reply.message }
    throw error
  }
  throw new Error('This was expected to be refused, and was not.')
}
