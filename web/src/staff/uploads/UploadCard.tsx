import { review } from '@dubplate/contract'
import { IconCheck, IconPencil, IconX } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { ReasonForm } from '../forms/TextForms.tsx'
import { useFocusPassedOn } from '../useFocusPassedOn.ts'
import * as texts from './texts.ts'
import { UploadFaults } from './UploadFaults.tsx'
import { UploadHead } from './UploadHead.tsx'
import { UploadSong } from './UploadSong.tsx'
import css from './Uploads.module.css'
import { type Decision, decisionsOn, REASONS } from './uploadStates.ts'

const UploadEdit = lazyOnDemand(() => import('./UploadEdit.tsx').then((code) => code.UploadEdit))

type Props = {
  song: review.ReviewedUpload
  isOpen: boolean
  isSelected: boolean
  /** Why the last decision failed. */
  left: string | undefined
  isBusy: boolean
  onOpen: () => void
  onSelect: () => void
  /** Decides on the song in the version shown here. Resolves to true on success. */
  onDecide: (seen: review.ReviewedUpload, decision: Decision, reason: string) => Promise<boolean>
}

/** One song of the queue: a summary when closed, all details when open. */
export function UploadCard({ song, isOpen, isSelected, left, isBusy, onOpen, onSelect, onDecide }: Props) {
  const { entity_id, title, status, reason } = song
  const [form, setForm] = useState<'reason' | 'edit'>()
  const [isNear, setNear] = useState(false)
  const card = useRef<HTMLLIElement>(null)
  useFocusPassedOn(card)
  useSeen(card, isOpen)
  // Loaded as soon as the card gets the focus, so that it opens and plays at once.
  const asked = useApiQuery(review.getUpload, { entity_id }, { enabled: isOpen || isNear || form === 'edit' })
  const whole = asked.data
  const can = decisionsOn(status)
  const decide = (decision: Decision, reason = '') => {
    // A busy button loses the focus; the next song gets it from the card.
    if (card.current?.contains(document.activeElement)) card.current.focus()
    return onDecide(isOpen && whole ? whole.song : song, decision, reason)
  }
  const close = () => {
    setForm(undefined)
    card.current?.focus()
  }
  const edit = () => {
    setForm((was) => (was === 'edit' ? undefined : 'edit'))
    if (!isOpen) onOpen()
  }
  return (
    <li
      ref={card}
      className={css.card}
      data-item
      data-open={isOpen || undefined}
      data-selected={isSelected || undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the queue move the focus between cards
      tabIndex={0}
      aria-label={title}
      onFocus={() => setNear(true)}
    >
      <UploadHead
        song={song}
        whole={whole}
        isOpen={isOpen}
        isSelected={isSelected}
        onOpen={onOpen}
        onSelect={onSelect}
      />
      {!isOpen && <UploadFaults faults={song.faults} />}
      {status === 'declined' && reason && <p className={css.reason}>{format(texts.declinedReason, { reason })}</p>}
      {left && (
        <p className={css.left} role="alert">
          {left}
        </p>
      )}
      {isOpen && !whole && asked.error && (
        <ErrorState error={asked.error} subject={texts.thisSong} retry={() => void asked.refetch()} />
      )}
      {isOpen && !whole && !asked.error && (
        <div className={css.wait} aria-busy role="status" aria-label={texts.loadingSong} />
      )}
      {isOpen && whole && form !== 'edit' && <UploadSong whole={whole} />}
      {isOpen && whole && form === 'edit' && <UploadEdit whole={whole} onDone={close} />}
      {form === 'reason' && (
        <ReasonForm
          draftName={`refuse.${entity_id}`}
          reader="uploader"
          reasons={REASONS}
          verb={texts.decline}
          isBusy={isBusy}
          onSend={(reason) => decide('decline', reason)}
          onCancel={() => setForm(undefined)}
        />
      )}
      {form === undefined && (
        <div className={css.actions}>
          {can.includes('publish') && (
            <Button
              variant={isOpen ? 'primary' : 'plain'}
              data-key="a"
              disabled={isBusy}
              onClick={() => void decide('publish')}
            >
              <IconCheck size={16} aria-hidden />
              {texts.publish}
            </Button>
          )}
          {can.includes('decline') && (
            <Button data-key="d" disabled={isBusy} onClick={() => setForm('reason')}>
              <IconX size={16} aria-hidden />
              {texts.declineMenuItem}
            </Button>
          )}
          <Button data-key="e" onClick={edit}>
            <IconPencil size={16} aria-hidden />
            {texts.edit}
          </Button>
        </div>
      )}
    </li>
  )
}

/** Scrolls a song that opened elsewhere on the page into view. */
function useSeen(card: RefObject<HTMLElement | null>, isOpen: boolean) {
  useEffect(() => {
    const top = card.current?.getBoundingClientRect().top ?? 0
    if (isOpen && (top < 0 || top > innerHeight / 2)) card.current?.scrollIntoView({ block: 'start' })
  }, [card, isOpen])
}
