import { dashboard, type ReplyOf } from '@dubplate/contract'
import { IconAlertTriangle, IconChecks, IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { formatExactDate } from '../../platform/format.ts'
import { format, rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { useCurrentMinute } from '../../platform/timeAgo.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import lists from '../Lists.module.css'
import { waited } from '../support/ticketWaits.ts'
import css from './Desk.module.css'
import * as texts from './texts.ts'
import { STEP_WORDS, type Way, waitInWords, wayTo } from './attentionItems.ts'

const EVERY_MS = 20_000

/**
 * What needs attention, refreshed while the page is open; a new pool's setup steps come first. `children` are shown
 * below.
 */
export function Waits({ children }: { children: ReactNode }) {
  const { data, error, refetch } = useApiQuery(dashboard.getAttentionItems, {}, { refetchMs: EVERY_MS })
  return (
    <>
      {data && data.steps.length > 0 && <Steps steps={data.steps} />}
      <section className={lists.part} aria-labelledby="waits">
        <SectionHead id="waits" title={texts.needsAttention} />
        {error && !data && <ErrorState error={error} subject={texts.thisList} retry={() => void refetch()} />}
        {!data && !error && <ToCome />}
        {data?.items.length === 0 && (
          <EmptyState icon={<IconChecks size={24} />} title={texts.allCaughtUp}>
            {texts.nothingNeedsYourAttentionNew}
          </EmptyState>
        )}
        {data && data.items.length > 0 && (
          <ul className={css.waits} aria-label={texts.needsAttention}>
            {data.items.map((wait) => (
              <Waiting key={wait.kind} wait={wait} />
            ))}
          </ul>
        )}
      </section>
      {(data || error) && children}
    </>
  )
}

/** A link whose target comes from a list; the list ensures that its parameters fit the route. */
const To = ({
  way: { to, params, search },
  className,
  children,
}: {
  way: Way
  className?: string
  children: ReactNode
}) => (
  <Link to={to} params={(params ?? {}) as never} search={(search ?? {}) as never} {...(className ? { className } : {})}>
    {children}
  </Link>
)

/** Which time is shown: how long an item has been waiting, or when it arrived. */
const SINCE: Partial<Record<dashboard.AttentionKind, typeof texts.newestAgo | typeof texts.fromAgo>> = {
  mail_bounced: texts.newestAgo,
  backup_old: texts.fromAgo,
}

function Waiting({ wait }: { wait: dashboard.AttentionItem }) {
  const now = useCurrentMinute()
  const { kind, since, is_urgent } = wait
  return (
    <li data-trouble={is_urgent || undefined}>
      <To way={wayTo(wait)}>
        {is_urgent && (
          <>
            <IconAlertTriangle size={16} aria-hidden />
            <span className="sr">{texts.problem} </span>
          </>
        )}
        <span>{waitInWords(wait)}</span>
        {since && (
          <time dateTime={since} title={formatExactDate(since)}>
            {format(SINCE[kind] ?? texts.oldestSince, { time: waited(since, now) })}
          </time>
        )}
      </To>
    </li>
  )
}

const Steps = ({ steps }: Pick<ReplyOf<typeof dashboard.getAttentionItems>, 'steps'>) => (
  <section className={lists.part} aria-labelledby="steps">
    <SectionHead id="steps" title={texts.getStarted} />
    <ol className={css.steps}>
      {steps.map(({ step, is_done }) => {
        const { text, why, way } = STEP_WORDS[step]
        return (
          <li key={step} data-done={is_done || undefined}>
            {is_done ? <IconCircleCheck size={20} aria-hidden /> : <IconCircle size={20} aria-hidden />}
            <div>
              <h3>
                {rich(is_done ? texts.stepDone : texts.stepToDo, {
                  step: way ? (
                    <To way={way} className={css.stepWay ?? ''}>
                      {text}
                    </To>
                  ) : (
                    text
                  ),
                  sr: (inside) => <span className="sr">{inside}</span>,
                })}
              </h3>
              <p>{why}</p>
            </div>
          </li>
        )
      })}
    </ol>
  </section>
)

const LINES = 4

const ToCome = () => (
  <ul className={css.waits} aria-busy aria-label={texts.loading}>
    {Array.from({ length: LINES }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <li key={i} className={css.waitBone} aria-hidden />
    ))}
  </ul>
)
