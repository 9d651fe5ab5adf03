import type { catalogue } from '@dubplate/contract'
import { parseQuery } from '@dubplate/contract/query'
import { IconX } from '@tabler/icons-react'
import { format } from '../format/message.ts'
import css from './ParsedSearch.module.css'
import * as texts from './texts.ts'

type Props = {
  term: string
  /** The terms the server recognised; empty until the reply arrives, and after an error. */
  parsedTerms: catalogue.ParsedTerm[]
  onRemove: (source: string) => void
}

/**
 * The recognised terms of a search, each with a button to remove it. A single word is not explained. Until the reply
 * arrives the terms are shown as typed, so that nothing moves.
 */
export function SearchUnderstood({ term, parsedTerms, onRemove }: Props) {
  const parts = parseQuery(term)
  if (parts.length === 0 || (parts.length === 1 && parts[0]?.kind === 'word' && !parts[0].negated)) return null
  return (
    <ul className={css.pieces} aria-label={texts.searchTerms}>
      {parts.map(({ source }, at) => {
        const meaning = parsedTerms.find((each) => each.source === source)?.meaning ?? source
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a word may occur twice
          <li key={`${at} ${source}`}>
            <span title={source}>{meaning}</span>
            <button
              type="button"
              aria-label={format(texts.remove, { source })}
              title={format(texts.remove, { source })}
              onClick={() => onRemove(source)}
            >
              <IconX size={14} aria-hidden />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
