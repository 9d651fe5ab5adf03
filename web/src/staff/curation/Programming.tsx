import { Link, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import chips from '../../ui/Chips.module.css'
import { StaffPage } from '../StaffPage.tsx'
import { CuratedGenreTree } from './CuratedGenreTree.tsx'
import { ListEdit } from './ListEdit.tsx'
import { ListShelf } from './ListShelf.tsx'
import type { Kind } from './listEntry.ts'
import { Schedule } from './Schedule.tsx'
import { Suggested } from './Suggested.tsx'
import { Trending } from './Trending.tsx'
import * as texts from './texts.ts'

/** Curation: spotlights, top 20, trending. */
export const Programming = () => (
  <StaffPage title={texts.curation}>
    <Rooms />
  </StaffPage>
)

const ROOMS = [
  { room: undefined, text: texts.spotlights },
  { room: 'genres', text: texts.curatedGenres },
  { room: 'top20', text: texts.top20 },
  { room: 'suggested', text: texts.suggested },
  { room: 'trending', text: texts.trending },
  { room: 'schedule', text: texts.schedule },
] as const

/** In the URL: a new one is being written; otherwise the id of the one being edited. */
const NEW = 'new'

function Rooms() {
  const { room, open } = useSearch({ from: '/staff/programming' })
  const line = useRef<HTMLElement>(null)
  // Scrolls the current tab into view when the bar does not fit.
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for each tab
  useEffect(() => {
    const own = line.current
    const here = own?.querySelector<HTMLElement>('[aria-current]')
    if (own && here) own.scrollLeft = here.offsetLeft - own.offsetLeft - (own.clientWidth - here.offsetWidth) / 2
  }, [room])
  return (
    <>
      <nav ref={line} className={chips.chips} aria-label={texts.curation}>
        {ROOMS.map((one) => (
          <Link
            key={one.text}
            to="/staff/programming"
            search={{ room: one.room }}
            className={chips.chip}
            aria-current={one.room === room ? 'true' : undefined}
            activeOptions={{ exact: true }}
          >
            {one.text}
          </Link>
        ))}
      </nav>
      {room === 'genres' && <CuratedGenreTree />}
      {room === 'suggested' && <Suggested />}
      {room === 'trending' && <Trending />}
      {room === 'schedule' && <Schedule />}
      {(room === undefined || room === 'top20') && <Shelf kind={room ?? 'spotlight'} open={open} />}
    </>
  )
}

function Shelf({ kind, open }: { kind: Kind; open: string | undefined }) {
  const listId = open === undefined || open === NEW ? undefined : Number(open)
  if (open === undefined) return <ListShelf key={kind} kind={kind} />
  return <ListEdit key={`${kind} ${open}`} kind={kind} listId={listId} />
}
