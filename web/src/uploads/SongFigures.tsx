import { type ReplyOf, uploadedSongs } from '@dubplate/contract'
import { count, plural } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import { useAsk } from '../platform/queries.ts'
import { TroubleLine } from '../platform/TroubleLine.tsx'
import { barHeight, weekName } from './figures.ts'
import css from './SongFigures.module.css'
import * as texts from './texts.ts'

type Figures = ReplyOf<typeof uploadedSongs.getSongFigures>
type Kind = keyof Figures['totals']

const KINDS: { kind: Kind; name: string }[] = [
  { kind: 'listens', name: 'Listens' },
  { kind: 'downloads', name: 'Downloads' },
  { kind: 'favourites', name: 'Favourites' },
  { kind: 'crates', name: 'Crates' },
]

/** What became of a song, by week: bars for the eye, a table for a reader. */
export function SongFigures({ entityId, title }: { entityId: number; title: string }) {
  const { data, error, refetch } = useAsk(uploadedSongs.getSongFigures, { entity_id: entityId })
  if (!data) {
    return (
      <div className={css.figures} aria-busy={!error}>
        {error && <TroubleLine error={error} what={texts.statistics} retry={() => void refetch()} alert />}
      </div>
    )
  }
  return (
    <>
      <div className={css.figures} aria-hidden>
        {KINDS.map(({ kind, name }) => (
          <Bars key={kind} figures={data} kind={kind} name={name} />
        ))}
      </div>
      <Table figures={data} title={title} />
    </>
  )
}

function Bars({ figures: { weeks, totals }, kind, name }: { figures: Figures; kind: Kind; name: string }) {
  const most = Math.max(1, ...weeks.map((week) => week[kind]))
  return (
    <div className={css.kind}>
      <b className="num">{count(totals[kind])}</b>
      <span>{name}</span>
      <div className={css.bars}>
        {weeks.map((week) => (
          <i
            key={week.week}
            data-none={week[kind] === 0 || undefined}
            style={{ height: `${barHeight(week[kind], most)}%` }}
            title={format(texts.weekOf, {
              weekName: weekName(week.week),
              plural: plural(week[kind], name.slice(0, -1).toLowerCase()),
            })}
          />
        ))}
      </div>
    </div>
  )
}

const Table = ({ figures: { weeks, totals }, title }: { figures: Figures; title: string }) => (
  <table className="sr">
    <caption>{format(texts.weeklyStatisticsFor, { title })}</caption>
    <thead>
      <tr>
        <th scope="col">{texts.weekOf2}</th>
        {KINDS.map(({ kind, name }) => (
          <th key={kind} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {weeks.map((week) => (
        <tr key={week.week}>
          <th scope="row">{weekName(week.week)}</th>
          {KINDS.map(({ kind }) => (
            <td key={kind}>{count(week[kind])}</td>
          ))}
        </tr>
      ))}
      <tr>
        <th scope="row">{texts.total}</th>
        {KINDS.map(({ kind }) => (
          <td key={kind}>{count(totals[kind])}</td>
        ))}
      </tr>
    </tbody>
  </table>
)
