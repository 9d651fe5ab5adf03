import { IconBasket, IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { format } from '../format/message.ts'
import button from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useAction } from '../ui/useAction.ts'
import css from './DigEnd.module.css'
import type { DigState } from './digState.ts'
import * as texts from './texts.ts'

type Props = { list: string; decisions: DigState['decisions']; onStartAgain: () => Promise<void> }

/** Shown when every song of the list has been decided. */
export function DigEnd({ list, decisions, onStartAgain }: Props) {
  const [startAgain, isBusy] = useAction(() => onStartAgain())
  const lines = [
    decisions.crate > 0 && format(texts.endCrate, { count: decisions.crate }),
    decisions.favourite > 0 && format(texts.endFavourites, { count: decisions.favourite }),
    decisions.skip > 0 && format(texts.endSkipped, { count: decisions.skip }),
    decisions.never > 0 && format(texts.endNever, { count: decisions.never }),
  ].filter((line) => line !== false)
  return (
    <div className={css.end}>
      <EmptyState
        icon={<IconCheck size={24} />}
        title={list === 'new' ? texts.everythingThisWeek : texts.everythingInThisList}
        action={
          <>
            <Link to="/crate" className={button.button} data-look="primary">
              <IconBasket size={18} aria-hidden />
              {texts.openCrate}
            </Link>
            <Button busy={isBusy} onClick={startAgain}>
              {texts.startAgain}
            </Button>
          </>
        }
      >
        <ul className={css.totals}>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </EmptyState>
    </div>
  )
}
