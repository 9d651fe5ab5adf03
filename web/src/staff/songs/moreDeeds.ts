import type { ComponentType } from 'react'
import { MergeDeed } from './SongDeeds.tsx'
import type { NamedSong } from './songDeeds.ts'

/**
 * Song actions of other screens. Each is a button that opens its own dialog (loaded on click) and calls `onDone` when
 * songs have changed.
 */

/** Added to the bar of the selected songs. */
export const SELECTION_DEEDS: ComponentType<{ songs: readonly NamedSong[]; onDone: () => void }>[] = [MergeDeed]
