import type { review } from '@dubplate/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import lists from '../Lists.module.css'
import { queueKeys } from '../queueKeys.ts'
import { decideUploads, type Left } from './decideUploads.ts'
import * as texts from './texts.ts'
import { UploadCard } from './UploadCard.tsx'
import { UploadSelection } from './UploadSelection.tsx'
import { type Decision, decisionsOn } from './uploadStates.ts'

type Songs = readonly review.ReviewedUpload[]
type Props = { songs: Songs; isStale: boolean }

/** One page of songs: one may be open, several selected. */
export function UploadQueue({ songs, isStale }: Props) {
  const { open } = useSearch({ from: '/staff/uploads' })
  const navigate = useNavigate({ from: '/staff/uploads' })
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [left, setLeft] = useState<Left>(new Map())
  const [isBusy, setBusy] = useState(false)
  const show = (open: number | undefined) =>
    void navigate({ search: (was) => ({ ...was, open }), replace: true, resetScroll: false })
  const select = (entityId: number) =>
    setSelected((was) =>
      was.has(entityId) ? new Set([...was].filter((id) => id !== entityId)) : new Set([...was, entityId]),
    )
  const decide = async (chosen: Songs, decision: Decision, reason: string) => {
    const next = besideOf(songs, chosen)
    setBusy(true)
    const undone = await decideUploads(chosen, decision, reason)
    setBusy(false)
    setLeft(undone)
    // Staff who review one song after another continue with the next one.
    if (chosen.some(({ entity_id }) => entity_id === open && !undone.has(entity_id))) show(next)
    return undone
  }
  const decideSelected = async (decision: Decision, reason: string) => {
    const undone = await decide(selectedOf(songs, selected), decision, reason)
    setSelected(new Set(undone.keys()))
    return undone.size === 0
  }
  const decidable = songs.filter(({ status }) => decisionsOn(status).length > 0)
  return (
    <>
      {decidable.length > 0 && (
        <UploadSelection
          songs={decidable}
          selected={selectedOf(songs, selected)}
          isBusy={isBusy}
          onSelect={(chosen) => setSelected(new Set(chosen.map(({ entity_id }) => entity_id)))}
          onDecide={decideSelected}
        />
      )}
      <ol className={lists.cards} aria-label={texts.songs} aria-busy={isStale || undefined} {...queueKeys}>
        {songs.map((song) => (
          <UploadCard
            key={song.entity_id}
            song={song}
            isOpen={song.entity_id === open}
            isSelected={selected.has(song.entity_id)}
            left={left.get(song.entity_id)}
            isBusy={isBusy}
            onOpen={() => show(song.entity_id === open ? undefined : song.entity_id)}
            onSelect={() => select(song.entity_id)}
            onDecide={async (seen, decision, reason) => (await decide([seen], decision, reason)).size === 0}
          />
        ))}
      </ol>
    </>
  )
}

const selectedOf = (songs: Songs, selected: ReadonlySet<number>): Songs =>
  songs.filter(({ entity_id }) => selected.has(entity_id))

/** The first song after those that leave the list, or else the last one before them. */
function besideOf(songs: Songs, leaving: Songs): number | undefined {
  const leaves = ({ entity_id }: review.ReviewedUpload) => leaving.some((song) => song.entity_id === entity_id)
  const last = songs.findLastIndex(leaves)
  const beside =
    songs.slice(last + 1).find((song) => !leaves(song)) ?? songs.slice(0, last).findLast((song) => !leaves(song))
  return beside?.entity_id
}
