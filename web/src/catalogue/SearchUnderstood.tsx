import type { catalogue } from '@dubplate/contract'
import { parseQuery } from '@dubplate/contract/query'
import { IconX } from '@tabler/icons-react'
import css from './SearchUnderstood.module.css'

type Props = {
  term: string
  /** What the server made of it; empty until it has answered, and where it refused. */
  understood: catalogue.Understood[]
  onTakeOut: (source: string) => void
}

/**
 * What was understood of a term, piece by piece, each to be taken out again. A single word needs no explaining. Until
 * the answer is there the pieces stand as they were typed, so that nothing moves.
 */
export function SearchUnderstood({ term, understood, onTakeOut }: Props) {
  const parts = parseQuery(term)
  if (parts.length === 0 || (parts.length === 1 && parts[0]?.kind === 'word' && !parts[0].negated)) return null
  return (
    <ul className={css.pieces} aria-label="Search terms">
      {parts.map(({ source }, at) => {
        const meaning = understood.find((each) => each.source === source)?.meaning ?? source
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a word may stand there twice
          <li key={`${at} ${source}`}>
            <span title={source}>{meaning}</span>
            <button
              type="button"
              aria-label={`Remove ${source}`}
              title={`Remove ${source}`}
              onClick={() => onTakeOut(source)}
            >
              <IconX size={14} aria-hidden />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
