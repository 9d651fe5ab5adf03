import type { ComponentType } from 'react'
import { MergeDeed, SplitDeed } from '../upkeep/SongDeeds.tsx'
import type { NamedSong, Song } from './songDeeds.ts'

/**
 * Deeds of other desks on songs: each is a button that opens its own dialog (fetched when it is pressed) and calls
 * `onDone` when songs were changed.
 */

/** Beside the others in the bar of the selected songs. */
export const SELECTION_DEEDS: ComponentType<{ songs: readonly NamedSong[]; onDone: () => void }>[] = [MergeDeed]

/** Beside the others in the head of a song's page. */
export const SONG_DEEDS: ComponentType<{ song: Song; onDone: () => void }>[] = [SplitDeed]
