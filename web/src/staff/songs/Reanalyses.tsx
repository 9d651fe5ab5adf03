import { reanalyses } from '@dubplate/contract'
import { Group, Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { format, rich } from '../../format/message.ts'
import { apiQuery } from '../../platform/queries.ts'
import { refreshSongs } from './songActions.ts'
import * as texts from './texts.ts'

const POLL_MS = 2000

const isRunning = (data: { waiting: number; running: number } | undefined) =>
  data !== undefined && data.waiting + data.running > 0

/** Progress of the analyses that staff requested; nothing when there are none. */
export function Reanalyses() {
  const { data } = useQuery({
    ...apiQuery(reanalyses.getAnalyses, {}),
    refetchInterval: ({ state }) => (isRunning(state.data) ? POLL_MS : false),
  })
  const isBusy = isRunning(data)
  const wasBusy = useRef(false)
  useEffect(() => {
    // The new values are shown once all analyses are finished.
    if (wasBusy.current && !isBusy) void refreshSongs()
    wasBusy.current = isBusy
  }, [isBusy])
  if (!data || (!isBusy && data.failed.length === 0)) return null
  const { done, waiting, running, failed } = data
  const [first] = failed
  return (
    <Group role="status" gap="sm" px={{ base: 16, sm: 24 }} py="xs" fz="sm" c="var(--text-2)">
      {isBusy && (
        <>
          <Progress.Root w={140}>
            <Progress.Section value={(100 * done) / (done + waiting + running)} aria-label={texts.reAnalysisProgress} />
          </Progress.Root>
          <span className="num">{format(texts.reAnalysingFilesDone, { waiting: waiting + running, done })}</span>
        </>
      )}
      {first && (
        <Text span fz="sm" c="var(--danger)" style={{ overflowWrap: 'anywhere' }}>
          {rich(texts.filesFailedToAnalyse, {
            count: failed.length,
            title: first.title,
            version_label: first.version_label,
            link: (inside) => (
              <Link
                to="/staff/songs/$entityId"
                params={{ entityId: first.entity_id }}
                style={{ textDecoration: 'underline' }}
              >
                {inside}
              </Link>
            ),
            last_error: first.last_error,
          })}
        </Text>
      )}
    </Group>
  )
}
