import { reanalyses } from '@dubplate/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { format, rich } from '../../platform/message.ts'
import { apiQuery } from '../../platform/queries.ts'
import css from './Songs.module.css'
import { renewAll } from './songDeeds.ts'
import * as texts from './texts.ts'

const LOOK_EVERY_MS = 2000

/** Progress of the analyses that staff requested; nothing when there are none. */
export function Reanalyses() {
  const { data } = useQuery({
    ...apiQuery(reanalyses.getAnalyses, {}),
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? LOOK_EVERY_MS : false),
  })
  const isBusy = isUnderWay(data)
  const wasBusy = useRef(false)
  useEffect(() => {
    // The new values are shown once all analyses are finished.
    if (wasBusy.current && !isBusy) void renewAll()
    wasBusy.current = isBusy
  }, [isBusy])
  if (!data || (!isBusy && data.failed.length === 0)) return null
  const [first] = data.failed
  return (
    <div className={css.analyses} role="status">
      {isBusy && (
        <>
          <progress
            value={data.done}
            max={data.done + data.waiting + data.running}
            aria-label={texts.reAnalysisProgress}
          />
          <span className="num">
            {format(texts.reAnalysingFilesDone, { waiting: data.waiting + data.running, done: data.done })}
          </span>
        </>
      )}
      {first && (
        <span className={css.failed}>
          {rich(texts.filesFailedToAnalyse, {
            count: data.failed.length,
            title: first.title,
            version_label: first.version_label,
            link: (inside) => (
              <Link to="/staff/songs/$entityId" params={{ entityId: first.entity_id }}>
                {inside}
              </Link>
            ),
            last_error: first.last_error,
          })}
        </span>
      )}
    </div>
  )
}

type Shown = { waiting: number; running: number } | undefined
const isUnderWay = (data: Shown): boolean => data !== undefined && data.waiting + data.running > 0
