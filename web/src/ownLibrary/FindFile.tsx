import type { Software } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { rich } from '../format/message.ts'
import css from './DjLibrary.module.css'
import * as texts from './texts.ts'

const path = (inside: ReactNode) => <code>{inside}</code>

type Place = { name: string; text: string; software?: Software }

const PLACES: Place[] = [
  { name: 'Traktor', text: texts.findTraktor, software: 'traktor' },
  { name: 'rekordbox', text: texts.findRekordbox, software: 'rekordbox' },
  { name: 'Serato', text: texts.findSerato, software: 'serato' },
  { name: 'VirtualDJ', text: texts.findVirtualDj, software: 'virtualdj' },
  { name: 'Engine DJ', text: texts.findEngine, software: 'engine' },
  { name: texts.otherPrograms, text: texts.findOthers },
]

/** Where each program stores its library. */
export const FindFile = () => (
  <details className={css.find}>
    <summary>{texts.whereIsMyLibrary}</summary>
    <dl>
      {PLACES.map(({ name, text, software }) => (
        <div key={name}>
          <dt>
            {software ? (
              <Link to="/dj-software/$software" params={{ software }}>
                {name}
              </Link>
            ) : (
              name
            )}
          </dt>
          <dd>{rich(text, { path })}</dd>
        </div>
      ))}
    </dl>
  </details>
)
