import { programming, type ReplyOf } from '@dubplate/contract'
import { IconCalendarEvent } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Trouble } from '../../platform/errors.tsx'
import { useAsk } from '../../platform/queries.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import lists from '../Lists.module.css'
import { momentInWords, zoneInWords } from '../moments.ts'
import shelf from './ListShelf.module.css'
import { ListLink } from './ListShelf.tsx'
import css from './Schedule.module.css'

type Ahead = ReplyOf<typeof programming.getSchedule>['ahead'][number]

const WHAT: Record<Ahead['what'], string> = {
  begins: 'is published',
  ends: 'ends',
  suggested: 'is suggested',
  unpinned: 'is unpinned',
}

const OF: Record<Ahead['of'], string> = { spotlight: 'Spotlight', top20: 'Top 20', trending: 'Trending' }

/** What comes and goes by itself, the nearest first. */
export function Schedule() {
  const { data, error, refetch } = useAsk(programming.getSchedule, {})
  if (error && !data) return <Trouble error={error} what="the schedule" retry={() => void refetch()} />
  if (!data) return <div className={lists.bone} aria-busy role="status" aria-label="Loading schedule…" />
  if (data.ahead.length === 0)
    return (
      <EmptyState icon={<IconCalendarEvent size={24} />} title="Nothing scheduled">
        Scheduled start and end dates appear here.
      </EmptyState>
    )
  return (
    <>
      <ol className={css.rows} aria-label="Schedule">
        {data.ahead.map((one) => (
          <li key={`${one.of} ${one.id} ${one.what}`}>
            <time dateTime={one.at} className="num">
              {momentInWords(one.at)}
            </time>
            <span className={css.of}>{OF[one.of]}</span>
            <span className={css.what}>
              <Named one={one} /> {WHAT[one.what]}
            </span>
          </li>
        ))}
      </ol>
      <p className={lists.note}>Times are in your time zone ({zoneInWords()}).</p>
    </>
  )
}

const Named = ({ one: { of, id, title } }: { one: Ahead }) =>
  of === 'trending' ? (
    <Link to="/staff/programming" search={{ room: 'trending' }} className={shelf.title}>
      {title}
    </Link>
  ) : (
    <ListLink list={{ kind: of, list_id: id }}>{title}</ListLink>
  )
