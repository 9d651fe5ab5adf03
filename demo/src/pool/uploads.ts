import type { DemoVersion, Recipe } from '../sound/recipe.ts'

export type DemoUploadVersion = {
  version: DemoVersion
  /** Only this share of the file's bytes was uploaded, as if an export had been interrupted. */
  share?: number
}

/** A song that the demo's label has uploaded, and what happened to it. */
export type DemoUpload = {
  title: string
  /** Names of genres of the demo pool. */
  genres: readonly string[]
  song_key: string
  music: Pick<Recipe, 'seed' | 'genre' | 'tonic' | 'mode' | 'bpm'>
  versions: readonly DemoUploadVersion[]
  /** `files`: the files are in the member's file container and do not belong to a song yet. */
  reviewState: 'published' | 'waiting' | 'declined' | 'files'
  /** Why it was declined; '' otherwise. */
  reason: string
}

export const UPLOADER_NAME = 'Rye Lane Audio'

// biome-ignore format: a table reads best as a table
export const UPLOADS: readonly DemoUpload[] = [
  { title: 'Canal Street', genres: ['House'], song_key: 'Am', music: { seed: 9101, genre: 'house', tonic: 9, mode: 'minor', bpm: 124 },
    versions: [{ version: 'Clean' }, { version: 'Instrumental' }], reviewState: 'published', reason: '' },
  { title: 'Second Sunday', genres: ['Hip-Hop'], song_key: 'Dm', music: { seed: 9102, genre: 'hiphop', tonic: 2, mode: 'minor', bpm: 94 },
    versions: [{ version: 'Clean' }, { version: 'Dirty' }], reviewState: 'waiting', reason: '' },
  { title: 'Sleepless in Peckham', genres: ['House'], song_key: 'F', music: { seed: 9103, genre: 'garage', tonic: 5, mode: 'major', bpm: 132 },
    versions: [{ version: 'Intro Clean' }], reviewState: 'declined', reason: 'The first eight bars of the intro have no beat to mix on. Please upload a version that starts with drums.' },
  { title: 'Night Bus Home', genres: ['House'], song_key: 'Gm', music: { seed: 9104, genre: 'house', tonic: 7, mode: 'minor', bpm: 122 },
    versions: [{ version: 'Clean' }, { version: 'Dirty', share: 0.6 }], reviewState: 'waiting', reason: '' },
  { title: 'Ridley Road', genres: ['House'], song_key: 'Cm', music: { seed: 9105, genre: 'afro', tonic: 0, mode: 'minor', bpm: 118 },
    versions: [{ version: 'Intro Clean' }], reviewState: 'files', reason: '' },
]
