import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { AppContext } from './app-context.ts'
import type { GeneratedKind } from './catalogue/images.ts'
import type { CoverText, FindCoverText } from './catalogue/pictures.ts'
import type { SongFiltering } from './catalogue/song-filtering.ts'
import type { LibraryVersions } from './downloads/left-out.ts'
import type { Route } from './membership/caller.ts'
import type { AccountDeletionHooks } from './membership/delete-account.ts'

/** What one folder adds to the processes. `modules.ts` lists all of them. */
export type Module = {
  /** The name of the folder. */
  name: string
  /** The tables that only this module writes. */
  tables?: readonly string[]
  /** API endpoints. */
  routes?: readonly Route[] | ((hooks: ModuleHooks) => readonly Route[])
  /** Everything else the web process serves: files, feeds, streams, webhooks. */
  http?(app: FastifyInstance, ctx: AppContext, hooks: ModuleHooks): void | Promise<void>
  jobs?: readonly ModuleJob[]
  /** Work that each worker starts and repeats until it stops. */
  loops?: readonly ((ctx: AppContext) => WorkerLoop | Promise<WorkerLoop>)[]
  /** Deletions of expired rows and files, once a day. */
  sweeps?: readonly ((ctx: AppContext) => Promise<unknown>)[]
  /** The data it stores about a member. */
  ownData?: AccountDeletionHooks['ownData']
  /** Deletes the bytes of a picture, and everything derived from it. */
  deletePicture?(ctx: AppContext, sha256: string): Promise<void>
  /** Returns the text of a generated cover; undefined for the covers of other modules. */
  findCoverText?(ctx: AppContext, of: GeneratedKind, id: number): Promise<CoverText | undefined>
  /** Cancels a member's future payments, before their account is deleted. */
  cancelPayments?(ctx: AppContext, customerId: number): Promise<void>
}

export type WorkerLoop = { stop(): Promise<void> }

/** A task of the job queue. Must be safe to run twice and to be killed at any point. */
export type ModuleJob = {
  task: string
  /** Undefined for a job that only runs when it is queued. */
  schedule?: JobSchedule
  run(ctx: AppContext, call: JobCall): Promise<unknown>
}

type JobSchedule = {
  /** The times of a cron line, in UTC. */
  times: string
  about: string
  /** Also runs when a worker starts, so that a pool that was stopped does not wait for the next time. */
  atStart?: true
}

export type JobCall = { payload: unknown; signal: AbortSignal; pool: pg.Pool }

/** What all modules provide together, for those that are below some of them. */
export type ModuleHooks = AccountDeletionHooks & {
  findCoverText: FindCoverText
  songFiltering: SongFiltering
  libraryVersions: LibraryVersions
  scheduledJobs: readonly ScheduledJob[]
}

export type ScheduledJob = { task: string } & JobSchedule

export const defineModule = (module: Module): Module => module
