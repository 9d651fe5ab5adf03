import type { operations } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { goTo } from '../platform/address.ts'
import { formatExactDate } from '../platform/format.ts'
import css from './AuditLog.module.css'
import { placeOf } from './auditPlaces.ts'
import { momentInWords } from './moments.ts'
import * as texts from './texts.ts'

/** One entry: who did what, on what, what changed, and from where. */
export function AuditLine({ deed }: { deed: operations.AuditEntry }) {
  const { at, staff, action, changes, ip, subject, subject_name } = deed
  return (
    <li
      className={css.row}
      data-item
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the list move the focus between items
      tabIndex={0}
      aria-label={`${action}, ${subject_name ?? subject}`}
    >
      <time dateTime={at} title={formatExactDate(at)}>
        {momentInWords(at)}
      </time>
      <div className={css.what}>
        <p>
          <b>{action}</b> <Subject deed={deed} />
        </p>
        {changes.length > 0 && <Changes changes={changes} />}
      </div>
      <p className={css.by}>
        {staff ? (
          <Link to="/staff/members/$customerId" params={{ customerId: staff.customer_id }}>
            {staff.dj_name}
          </Link>
        ) : (
          texts.formerStaffMember
        )}
        {ip && <span>{ip}</span>}
      </p>
    </li>
  )
}

/** Navigates without reloading the page, unless the user opens another tab. */
function openHere(event: MouseEvent, place: string) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  goTo(place)
}

function Subject({ deed: { subject, subject_name } }: { deed: operations.AuditEntry }) {
  const place = placeOf(subject)
  const words = subject_name ? `${subject_name} (${subject})` : subject
  return place ? (
    <a href={place} data-key="Enter" onClick={(event) => openHere(event, place)}>
      {words}
    </a>
  ) : (
    <span>{words}</span>
  )
}

const Changes = ({ changes }: { changes: operations.AuditEntry['changes'] }) => (
  <dl className={css.changes}>
    {changes.map(({ field, before, after }) => (
      <div key={field}>
        <dt>{field.replaceAll('_', ' ')}</dt>
        <dd>
          {before !== null && (
            <del>
              <span className="sr">{texts.before} </span>
              {before}
            </del>
          )}
          {before !== null && after !== null && <span aria-hidden> → </span>}
          {after !== null && (
            <ins>
              <span className="sr">{texts.after} </span>
              {after}
            </ins>
          )}
        </dd>
      </div>
    ))}
  </dl>
)
