import { writeFile } from 'node:fs/promises'
import type { uploadedSongs } from '@dubplate/contract'
import { analyse } from '../src/analysis/analyse.ts'
import type { Analyser } from '../src/analysis/analyser.ts'
import type { AppContext } from '../src/app-context.ts'
import { ingestUpload } from '../src/uploads/intake.ts'
import { analyseNext } from '../src/uploads/upload-analysis.ts'
import { makeWav, type SoundOptions } from './audio-files.ts'

/** Analyses in this process, as the child processes do. */
export const inProcessAnalyser: Analyser = { analyse, stop: async () => {} }

let tone = 150

/** A WAV with unique content. */
export const aWav = (soundOptions: SoundOptions = {}): Buffer =>
  makeWav({ seconds: 1, sampleRate: 22_050, channels: 1, tone: tone++, ...soundOptions })

type UploadOverrides = { name?: string; bytes?: Buffer; analysed?: boolean }

/** A file a member has sent, analysed by default. */
export async function anUpload(
  ctx: AppContext,
  member: { customer_id: number },
  overrides: UploadOverrides = {},
): Promise<number> {
  const path = await ctx.storage.scratch('sent.wav')
  await writeFile(path, overrides.bytes ?? aWav())
  const name = overrides.name ?? 'Kwame - Night Drive (Clean).wav'
  const uploadId = await ingestUpload(ctx, { customer_id: member.customer_id, path, name })
  if (overrides.analysed !== false) while (await analyseNext(ctx, inProcessAnalyser));
  return uploadId
}

/** The values of a song's form. */
export const songData = (overrides: Partial<uploadedSongs.SongData> = {}): uploadedSongs.SongData => ({
  title: 'Night Drive',
  artist: 'Kwame',
  year: '2026',
  song_key: 'Am',
  bpm: '124',
  genres: [],
  ...overrides,
})
