import type { review } from '@dubplate/contract'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { format } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import { ReasonForm } from '../forms/TextForms.tsx'
import * as texts from './texts.ts'
import css from './Uploads.module.css'
import { type Decision, decisionsOn, REASONS } from './uploadStates.ts'

type Songs = readonly review.ReviewedUpload[]

type Props = {
  /** Songs that can be decided. */
  songs: Songs
  selected: Songs
  isBusy: boolean
  onSelect: (songs: Songs) => void
  /** Resolves to true once all of them are decided. */
  onDecide: (decision: Decision, reason: string) => Promise<boolean>
}

/** Selects all songs of the page or none, and decides on the selected ones. The bar stays visible. */
export function UploadSelection({ songs, selected, isBusy, onSelect, onDecide }: Props) {
  const [isRefusing, setRefusing] = useState(false)
  const isAny = selected.length > 0
  const can = (decision: Decision) => selected.every(({ status }) => decisionsOn(status).includes(decision))
  const reject = async (reason: string) => {
    const isDone = await onDecide('decline', reason)
    if (isDone) setRefusing(false)
    return isDone
  }
  return (
    <section className={css.selection} aria-label={texts.selectedSongs} data-any={isAny || undefined}>
      <label className={css.tick}>
        <input
          type="checkbox"
          checked={selected.length === songs.length}
          ref={(box) => {
            if (box) box.indeterminate = isAny && selected.length < songs.length
          }}
          onChange={() => onSelect(selected.length === songs.length ? [] : songs)}
        />
        <span aria-live="polite">
          {isAny ? format(texts.songsSelected, { count: selected.length }) : texts.selectAllOnThisPage}
        </span>
      </label>
      {isAny && !isRefusing && (
        <div className={css.actions}>
          {can('publish') && (
            <Button variant="primary" busy={isBusy} onClick={() => void onDecide('publish', '')}>
              <IconCheck size={16} aria-hidden />
              {format(texts.publishSongs, { count: selected.length })}
            </Button>
          )}
          {can('decline') && (
            <Button disabled={isBusy} onClick={() => setRefusing(true)}>
              <IconX size={16} aria-hidden />
              {format(texts.declineSongsMenuItem, { count: selected.length })}
            </Button>
          )}
        </div>
      )}
      {isAny && isRefusing && (
        <ReasonForm
          draftName="refuse.several"
          reader="uploader"
          reasons={REASONS}
          verb={format(texts.declineSongs, { count: selected.length })}
          isBusy={isBusy}
          onSend={reject}
          onCancel={() => setRefusing(false)}
        />
      )}
    </section>
  )
}
