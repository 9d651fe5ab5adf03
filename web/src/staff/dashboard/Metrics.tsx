import { dashboard, type ReplyOf } from '@dubplate/contract'
import { IconDownload } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { saveAs } from '../../platform/saveAs.ts'
import { Button } from '../../ui/Button.tsx'
import { Chips } from '../../ui/Chips.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import { toast, toastError } from '../../ui/toast.ts'
import lists from '../Lists.module.css'
import css from './Desk.module.css'
import { FigureCard } from './MetricDetail.tsx'
import * as texts from './texts.ts'

const EVERY_MS = 60_000

const PERIOD_NAMES: Record<dashboard.Period, string> = {
  day: texts.today,
  week: texts.n7Days,
  month: texts.n30Days,
  quarter: texts.n90Days,
  year: texts.n12Months,
}

/** The metrics of the period in the URL, refreshed while the page is open. */
export function useFigures() {
  const { period = 'week' } = useSearch({ from: '/staff/' })
  return useApiQuery(dashboard.getMetrics, { period }, { keepPrevious: true, refetchMs: EVERY_MS })
}

/** Metrics of the pool, compared with the previous period. */
export function Figures({ asked }: { asked: ReturnType<typeof useFigures> }) {
  const { period = 'week' } = useSearch({ from: '/staff/' })
  const navigate = useNavigate({ from: '/staff/' })
  const { data, error, isPlaceholderData, refetch } = asked
  return (
    <section className={lists.part} aria-labelledby="figures">
      <div className={css.bar}>
        <SectionHead id="figures" title={texts.metrics} />
        <Chips
          label={texts.period}
          choices={dashboard.PERIODS.map((value) => ({ value, label: PERIOD_NAMES[value] }))}
          chosen={period}
          onChoose={(to) =>
            void navigate({ search: to === 'week' ? {} : { period: to }, replace: true, resetScroll: false })
          }
        />
        <Export />
      </div>
      <p className={css.legend}>
        <i data-is="now" /> {texts.currentPeriod} · <i data-is="before" /> {texts.previousPeriodToDateTimes}
      </p>
      {error && !data && <ErrorState error={error} subject={texts.metricsInSentence} retry={() => void refetch()} />}
      {!data && !error && <ToCome />}
      {data && <Cards shown={data} isStale={isPlaceholderData} />}
    </section>
  )
}

function Cards({ shown, isStale }: { shown: ReplyOf<typeof dashboard.getMetrics>; isStale: boolean }) {
  return (
    <ul className={css.figures} aria-label={texts.metrics} aria-busy={isStale || undefined}>
      {shown.metrics.map((metric) => (
        <li key={`${metric.metric} ${metric.currency}`}>
          <FigureCard metric={metric} told={shown} />
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
      const { url, file } = await callApi(dashboard.getMetricsFile, {})
      saveAs(url, file)
      void toast({ message: texts.downloadStarted })
    } catch (error) {
      void toastError(texts.couldntExportMetrics, error)
    }
    setBusy(false)
  }
  return (
    <Button className={css.export} busy={isBusy} onClick={() => void take()}>
      <IconDownload size={16} aria-hidden />
      {texts.exportCsv}
    </Button>
  )
}

const CARDS = 6

const ToCome = () => (
  <ul className={css.figures} aria-busy aria-label={texts.loadingMetrics}>
    {Array.from({ length: CARDS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <li key={i} className={css.figureBone} aria-hidden />
    ))}
  </ul>
)
