import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useEffect } from 'react'
import { create } from 'zustand'
import { lengthText } from '../catalogue/CollectionHeader.tsx'
import { useListAddress } from '../catalogue/useListAddress.ts'
import { format } from '../format/message.ts'
import { IconButton } from '../ui/IconButton.tsx'
import css from './CrateOrder.module.css'
import type { useCrateTransitions } from './crateTransitions.ts'
import * as texts from './texts.ts'

/** The clash that was jumped to, by the id of its second song; the jump is over once it was scrolled into view. */
const useClashJump = create<{ songId: number | undefined; isOver: boolean }>(() => ({
  songId: undefined,
  isOver: true,
}))

/** Forgets the jump when the crate is left. */
export const endClashJump = () => useClashJump.setState({ songId: undefined, isOver: true })

type Props = {
  /** The ids of all songs of the crate, in order. */
  order: readonly number[]
  pageSize: number
  set: ReturnType<typeof useCrateTransitions>
}

/** Number of songs, length and clashes of the crate as a set, with jumps from clash to clash. */
export function CrateSetSummary({ order, pageSize, set }: Props) {
  const { clashes, seconds } = set
  const { change } = useListAddress()
  const { songId, isOver } = useClashJump()
  const current = songId === undefined ? -1 : clashes.indexOf(songId)

  // The clash may be on a page that is still loading.
  useEffect(() => {
    const row = isOver ? null : document.querySelector<HTMLElement>(`[data-transition="${songId}"]`)
    if (!row) return
    useClashJump.setState({ isOver: true })
    row.scrollIntoView({ block: 'center' })
    row.focus({ preventScroll: true })
  })

  const jump = (step: number) => {
    const from = current < 0 && step < 0 ? 0 : current
    const target = clashes.at((from + step) % clashes.length)
    if (target === undefined) return
    useClashJump.setState({ songId: target, isOver: false })
    const page = Math.floor(order.indexOf(target) / pageSize) + 1
    if (!document.querySelector(`[data-transition="${target}"]`)) change({ page: page > 1 ? page : undefined })
  }
  if (set.error && !set.isLoaded)
    return (
      <p className={css.summary} role="alert">
        {texts.couldntLoadTransitions}{' '}
        <button type="button" className={css.retry} onClick={set.retry}>
          {texts.tryAgain}
        </button>
      </p>
    )
  if (!set.isLoaded) return <p className={css.summary}>{texts.loadingTransitions}</p>
  return (
    <div className={css.summary}>
      <p className="num" aria-live="polite">
        {format(texts.songCount, { count: order.length })} · {lengthText(seconds)} ·{' '}
        <span data-clashes={clashes.length > 0 || undefined}>
          {format(texts.clashCount, { count: clashes.length })}
        </span>
        {current >= 0 && ` · ${format(texts.clashOf, { n: current + 1, count: clashes.length })}`}
      </p>
      {clashes.length > 0 && (
        <>
          <IconButton label={texts.previousClash} onClick={() => jump(-1)}>
            <IconChevronUp size={16} />
          </IconButton>
          <IconButton label={texts.nextClash} onClick={() => jump(1)}>
            <IconChevronDown size={16} />
          </IconButton>
        </>
      )}
    </div>
  )
}
