import { desk, type ReplyOf } from '@dubplate/contract'
import { IconDownload } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ask } from '../../platform/api.ts'
import { Trouble } from '../../platform/errors.tsx'
import { useAsk } from '../../platform/queries.ts'
import { saveAs } from '../../platform/saveAs.ts'
import { Button } from '../../ui/Button.tsx'
import { Chips } from '../../ui/Chips.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import { toast, toastTrouble } from '../../ui/toast.ts'
import lists from '../Lists.module.css'
import css from './Desk.module.css'
import { FigureCard } from './FigureCard.tsx'

const EVERY_MS = 60_000

const PERIOD_NAMES: Record<desk.Period, string> = {
  day: 'Today',
  week: '7 days',
  month: '30 days',
  quarter: '90 days',
  year: '12 months',
}

/** The figures of the period in the address, renewed while the page is open. */
export function useFigures() {
  const { period = 'week' } = useSearch({ from: '/staff' })
  return useAsk(desk.getFigures, { period }, { keepPrevious: true, every_ms: EVERY_MS })
}

/** How the pool does, beside how it did before. */
export function Figures({ asked }: { asked: ReturnType<typeof useFigures> }) {
  const { period = 'week' } = useSearch({ from: '/staff' })
  const navigate = useNavigate({ from: '/staff' })
  const { data, error, isPlaceholderData, refetch } = asked
  return (
    <section className={lists.part} aria-labelledby="figures">
      <div className={css.bar}>
        <SectionHead id="figures" title="Metrics" />
        <Chips
          label="Period"
          choices={desk.PERIODS.map((value) => ({ value, label: PERIOD_NAMES[value] }))}
          chosen={period}
          onChoose={(to) =>
            void navigate({ search: to === 'week' ? {} : { period: to }, replace: true, resetScroll: false })
          }
        />
        <Export />
      </div>
      <p className={css.legend}>
        <i data-is="now" /> Current period · <i data-is="before" /> Previous period to date · Times in UTC
      </p>
      {error && !data && <Trouble error={error} what="metrics" retry={() => void refetch()} />}
      {!data && !error && <ToCome />}
      {data && <Cards shown={data} isStale={isPlaceholderData} />}
    </section>
  )
}

function Cards({ shown, isStale }: { shown: ReplyOf<typeof desk.getFigures>; isStale: boolean }) {
  return (
    <ul className={css.figures} aria-label="Metrics" aria-busy={isStale || undefined}>
      {shown.figures.map((figure) => (
        <li key={`${figure.figure} ${figure.currency}`}>
          <FigureCard figure={figure} told={shown} />
        </li>
      ))}
    </ul>
  )
}

function Export() {
  const [isBusy, setBusy] = useState(false)
  const take = async () => {
    setBusy(true)
    try {
      const { url, file } = await ask(desk.getFiguresFile, {})
      saveAs(url, file)
      void toast({ message: 'Download started' })
    } catch (error) {
      void toastTrouble('Couldn’t export metrics', error)
    }
    setBusy(false)
  }
  return (
    <Button className={css.export} busy={isBusy} onClick={() => void take()}>
      <IconDownload size={16} aria-hidden />
      Export CSV
    </Button>
  )
}

const CARDS = 6

const ToCome = () => (
  <ul className={css.figures} aria-busy aria-label="Loading metrics…">
    {Array.from({ length: CARDS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <li key={i} className={css.figureBone} aria-hidden />
    ))}
  </ul>
)
