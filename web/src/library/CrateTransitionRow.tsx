import { IconAlertTriangle, IconArrowDown } from '@tabler/icons-react'
import { usePreferences } from '../platform/preferences.ts'
import css from './CrateOrder.module.css'
import { type CrateTransition, describeTransition } from './crateTransitions.ts'

type Props = {
  /** The second song. */
  songId: number
  transition: CrateTransition
}

/** The transition between two songs, between their rows. */
export function CrateTransitionRow({ songId, transition }: Props) {
  const notation = usePreferences((preferences) => preferences.notation)
  const { changes, clashes } = describeTransition(transition, notation)
  return (
    <li className={css.transition} data-transition={songId} data-clash={transition.isClash || undefined} tabIndex={-1}>
      {transition.isClash ? <IconAlertTriangle size={14} aria-hidden /> : <IconArrowDown size={14} aria-hidden />}
      <span className="num">
        {changes.join(' · ')}
        {clashes.length > 0 && <b>{clashes.join(' · ')}</b>}
      </span>
    </li>
  )
}
