import { curation, type ReplyOf } from '@dubplate/contract'
import { IconCalendarEvent } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { format, rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import lists from '../Lists.module.css'
import { momentInWords, zoneInWords } from '../moments.ts'
import shelf from './ListShelf.module.css'
import { ListLink } from './ListShelf.tsx'
import css from './Schedule.module.css'
import * as texts from './texts.ts'

type Ahead = ReplyOf<typeof curation.getSchedule>['events'][number]

const WHAT = {
  starts: texts.isPublished,
  ends: texts.listEnds,
  suggested: texts.isSuggested,
  unpinned: texts.isUnpinned,
} as const satisfies Record<Ahead['event'], string>

const OF: Record<Ahead['kind'], string> = { spotlight: texts.spotlight, top20: texts.top20, trending: texts.trending }

/** Scheduled starts and ends, the nearest first. */
export function Schedule() {
  const { data, error, refetch } = useApiQuery(curation.getSchedule, {})
  if (error && !data) return <ErrorState error={error} subject={texts.theSchedule} retry={() => void refetch()} />
  if (!data) return <div className={lists.bone} aria-busy role="status" aria-label={texts.loadingSchedule} />
  if (data.events.length === 0)
    return (
      <EmptyState icon={<IconCalendarEvent size={24} />} title={texts.nothingScheduled}>
        {texts.scheduledStartAndEndDates}
      </EmptyState>
    )
  return (
    <>
      <ol className={css.rows} aria-label={texts.schedule}>
        {data.events.map((one) => (
          <li key={`${one.kind} ${one.id} ${one.event}`}>
            <time dateTime={one.at} className="num">
              {momentInWords(one.at)}
            </time>
            <span className={css.of}>{OF[one.kind]}</span>
            <span className={css.what}>
              {rich(WHAT[one.event], { title: one.title, link: (inside) => <Named one={one}>{inside}</Named> })}
            </span>
          </li>
        ))}
      </ol>
      <p className={lists.note}>{format(texts.timesAreInYourTime, { zoneInWords: zoneInWords() })}</p>
    </>
  )
}

const Named = ({ one: { kind, id }, children }: { one: Ahead; children: ReactNode }) =>
  kind === 'trending' ? (
    <Link to="/staff/programming" search={{ room: 'trending' }} className={shelf.title}>
      {children}
    </Link>
  ) : (
    <ListLink list={{ kind, list_id: id }}>{children}</ListLink>
  )
