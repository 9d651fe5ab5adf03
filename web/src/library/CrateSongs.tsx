import type { catalogue } from '@dubplate/contract'
import { Fragment, useMemo, useRef } from 'react'
import { useReordering } from '../ui/useReordering.ts'
import css from './Crate.module.css'
import { CrateRow } from './CrateRow.tsx'
import { CrateTransitionRow } from './CrateTransitionRow.tsx'
import { cratePage } from './crateOrder.ts'
import type { CrateTransition } from './crateTransitions.ts'
import { useLibrary } from './library.ts'
import * as texts from './texts.ts'
import { useSongMoves } from './useSongMoves.ts'

type Props = {
  songs: catalogue.Song[]
  page: number
  isStale: boolean
  /** True if the songs can be moved: the crate is in the member's own order, and all of its songs are listed. */
  isMovable: boolean
  /** By the id of the second song; undefined if they are not shown. */
  transitions: Map<number, CrateTransition> | undefined
  toggleVersion: (song: catalogue.Song, version: catalogue.Version) => void
  remove: (song: catalogue.Song) => void
}

/** The songs on a page of the crate, which can be moved, with the transitions between them. */
export function CrateSongs({ songs, page, isStale, isMovable, transitions, toggleVersion, remove }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const crateSongs = useLibrary((library) => library.crateSongs)
  const shown = useMemo(() => {
    const crate = cratePage(page)
    // A song that was just removed is no longer on screen.
    const getSongs = () => crate.getSongs().filter(({ entity_id }) => useLibrary.getState().crateSongs.has(entity_id))
    return { ...crate, getSongs }
  }, [page])
  const { moves, announcement } = useSongMoves(shown)
  const reordering = useReordering(list, moves)
  return (
    <>
      <ul
        ref={list}
        className={css.list}
        aria-label={texts.songsInYourCrate}
        aria-busy={isStale || undefined}
        {...(isMovable ? reordering : {})}
      >
        {songs.map((song) => {
          const transition = transitions?.get(song.entity_id)
          return (
            <Fragment key={song.entity_id}>
              {transition && <CrateTransitionRow songId={song.entity_id} transition={transition} />}
              <CrateRow
                song={song}
                list={songs}
                isMovable={isMovable && crateSongs.has(song.entity_id)}
                toggleVersion={toggleVersion}
                remove={remove}
              />
            </Fragment>
          )
        })}
      </ul>
      <p className="sr" aria-live="assertive">
        {announcement}
      </p>
    </>
  )
}
