import { curation, type ReplyOf } from '@dubplate/contract'
import { Anchor, Skeleton, Table, Text } from '@mantine/core'
import { IconCalendarEvent } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatExactDate } from '../../format/format.ts'
import { format, rich } from '../../format/message.ts'
import { zoneInWords } from '../../format/moments.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListLink } from './ListLink.tsx'
import * as texts from './texts.ts'

type ScheduledEvent = ReplyOf<typeof curation.getSchedule>['events'][number]

const EVENTS = {
  starts: texts.isPublished,
  ends: texts.listEnds,
  suggested: texts.isSuggested,
  unpinned: texts.isUnpinned,
} as const satisfies Record<ScheduledEvent['event'], string>

const KINDS: Record<ScheduledEvent['kind'], string> = {
  spotlight: texts.spotlight,
  top20: texts.top20,
  trending: texts.trending,
}

/** What starts and ends next, the nearest first. */
export function Schedule() {
  const { data, error, refetch } = useApiQuery(curation.getSchedule, {})
  if (error && !data) return <ErrorState error={error} subject={texts.theSchedule} retry={() => void refetch()} />
  if (!data) return <Skeleton height={132} aria-busy role="status" aria-label={texts.loadingSchedule} />
  if (data.events.length === 0)
    return (
      <EmptyState icon={<IconCalendarEvent size={24} />} title={texts.nothingScheduled}>
        {texts.scheduledStartAndEndDates}
      </EmptyState>
    )
  return (
    <>
      <Table aria-label={texts.schedule} maw={920}>
        <Table.Tbody>
          {data.events.map((event) => (
            <Table.Tr key={`${event.kind} ${event.id} ${event.event}`}>
              <Table.Td>
                <time dateTime={event.at} className="num">
                  {formatExactDate(event.at)}
                </time>
              </Table.Td>
              <Table.Td c="var(--text-2)">{KINDS[event.kind]}</Table.Td>
              <Table.Td>
                {rich(EVENTS[event.event], {
                  title: event.title,
                  link: (inside) => <EventLink event={event}>{inside}</EventLink>,
                })}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text fz="sm" c="var(--text-2)" mt="md">
        {format(texts.timesAreInYourTime, { time_zone: zoneInWords() })}
      </Text>
    </>
  )
}

const EventLink = ({ event: { kind, id }, children }: { event: ScheduledEvent; children: ReactNode }) =>
  kind === 'trending' ? (
    <Anchor
      c="inherit"
      fw={580}
      renderRoot={(props) => <Link {...props} to="/staff/curation" search={{ view: 'trending' }} />}
    >
      {children}
    </Anchor>
  ) : (
    <ListLink list={{ kind, list_id: id }}>{children}</ListLink>
  )
