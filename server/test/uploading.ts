import { writeFile } from 'node:fs/promises'
import type { uploadedSongs } from '@dubplate/contract'
import { analyse } from '../src/audio/analyse.ts'
import type { Analyser } from '../src/audio/analyser.ts'
import { takeIn } from '../src/uploads/intake.ts'
import { analyseNext } from '../src/uploads/upload-analysis.ts'
import type { World } from '../src/world.ts'
import { makeWav, type Sound } from './audio-files.ts'

/** Analyses in this process, as the children do. */
export const analyserHere: Analyser = { analyse, stop: async () => {} }

let tone = 150

/** A WAV no other call of this has made. */
export const aWav = (sound: Sound = {}): Buffer =>
  makeWav({ seconds: 1, sampleRate: 22_050, channels: 1, tone: tone++, ...sound })

type Wish = { name?: string; bytes?: Buffer; analysed?: boolean }

/** A file a member has sent, analysed unless said otherwise. */
export async function anUpload(world: World, member: { customer_id: number }, wish: Wish = {}): Promise<number> {
  const path = await world.storage.scratch('sent.wav')
  await writeFile(path, wish.bytes ?? aWav())
  const name = wish.name ?? 'Kwame - Night Drive (Clean).wav'
  const uploadId = await takeIn(world, { customer_id: member.customer_id, path, name })
  if (wish.analysed !== false) while (await analyseNext(world, analyserHere));
  return uploadId
}

/** A song's form, filled in. */
export const songData = (wish: Partial<uploadedSongs.SongData> = {}): uploadedSongs.SongData => ({
  title: 'Night Drive',
  artist: 'Kwame',
  year: '2026',
  song_key: 'Am',
  bpm: '124',
  genres: [],
  ...wish,
})
