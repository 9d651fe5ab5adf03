import { curation } from '@dubplate/contract'
import { Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { DateTimeInput } from '../../admin/formFields.tsx'
import { Note, PageSection } from '../../admin/PageSection.tsx'
import { formatExactDate } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { isoOf } from '../../format/moments.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { imageAt } from '../../platform/media.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { ListLink } from './ListLink.tsx'
import { LISTS } from './lists.ts'
import { describeState, STATE_NAMES } from './listValues.ts'
import * as texts from './texts.ts'

type List = curation.StaffList

/** The number of lists that members see in the sidebar. */
const SHOWN = 4

/** The number of spotlights that can be chosen from at once. */
const CANDIDATES = 8

/** The suggested collection: the current one, the next one, and candidates. */
export function Suggested() {
  const { data, error, refetch } = useApiQuery(curation.getSuggested, {})
  if (error && !data)
    return <ErrorState error={error} subject={texts.suggestedSpotlights} retry={() => void refetch()} />
  if (!data) return <Skeleton height={320} aria-busy role="status" aria-label={texts.loadingSuggestedSpotlights} />
  return (
    <Stack gap="lg" maw={920}>
      <PageSection title={texts.current}>
        <Note>{format(texts.membersSeeTheFirstNext, { SHOWN })}</Note>
        {data.now.length === 0 && (
          <EmptyState icon={<IconSparkles size={24} />} title={texts.noSuggestedSpotlights}>
            {texts.theBlockIsHiddenFrom}
          </EmptyState>
        )}
        <Rows label={texts.currentSuggestions}>
          {data.now.map((list) => (
            <Row key={list.list_id} list={list} note={describeSince(list)}>
              <RemoveButton list={list} />
            </Row>
          ))}
        </Rows>
      </PageSection>
      <PageSection title={texts.upcoming}>
        {data.next.length === 0 && <Note>{texts.noUpcomingSuggestions}</Note>}
        <Rows label={texts.upcomingSuggestions}>
          {data.next.map((list) => (
            <Row key={list.list_id} list={list} note={describeStart(list)}>
              <RemoveButton list={list} />
            </Row>
          ))}
        </Rows>
      </PageSection>
      <Candidates taken={new Set([...data.now, ...data.next].map(({ list_id }) => list_id))} />
    </Stack>
  )
}

const describeSince = ({ published_at, suggested_from }: List) =>
  format(texts.sinceDate, { time: formatExactDate([published_at ?? '', suggested_from ?? ''].toSorted().at(-1) ?? '') })

const describeStart = ({ visible_from, state }: List & { visible_from: string | null }) =>
  visible_from
    ? format(texts.fromDate, { visible_from: formatExactDate(visible_from) })
    : format(texts.onceItsPublished, { state: STATE_NAMES[state] })

const Rows = ({ label, children }: { label: string; children: ReactNode[] }) =>
  children.length > 0 && (
    <Stack component="ul" gap="sm" p={0} m={0} aria-label={label}>
      {children}
    </Stack>
  )

const Row = ({ list, note, children }: { list: List; note: string; children: ReactNode }) => (
  <Group component="li" wrap="nowrap" gap="md">
    <img src={imageAt(list.image, 96)} alt="" width={48} height={48} loading="lazy" />
    <Stack gap={0} flex={1} miw={0}>
      <ListLink list={list}>{list.title}</ListLink>
      <Text fz="sm" c="var(--text-2)">
        {note} · {format(texts.songCount, { n: list.song_count })}
      </Text>
    </Stack>
    {children}
  </Group>
)

function RemoveButton({ list: { list_id, version, title, suggested_from } }: { list: List }) {
  const undo = useApiMutation(curation.suggestList, { invalidates: LISTS, errorTitle: texts.couldntUndo })
  const remove = useApiMutation(curation.suggestList, {
    invalidates: LISTS,
    success: () => ({
      message: format(texts.removedFromSuggestions, { title }),
      action: {
        label: texts.undo,
        run: () => undo.mutate({ list_id, version: version + 1, suggested: true, suggested_from }),
      },
    }),
    errorTitle: texts.couldntRemoveSuggestion,
  })
  return (
    <Button
      busy={remove.isPending}
      aria-label={format(texts.removeFromSuggestions, { title })}
      onClick={() => remove.mutate({ list_id, version, suggested: false, suggested_from: null })}
    >
      {texts.remove}
    </Button>
  )
}

/** Spotlights that could be suggested, too. */
function Candidates({ taken }: { taken: ReadonlySet<number> }) {
  const [find, setFind] = useState('')
  const [from, setFrom] = useState('')
  const { data, error, refetch } = useApiQuery(curation.getLists, { kind: 'spotlight', find }, { keepPrevious: true })
  const candidates = (data?.lists ?? []).filter(({ list_id, state }) => !taken.has(list_id) && state !== 'ended')
  return (
    <PageSection title={texts.suggestASpotlight}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'end' }}>
        <SearchField label={texts.searchSpotlightsByTitle} value={find} onSearch={(text) => setFind(text ?? '')} />
        <DateTimeInput
          label={texts.suggestFrom}
          description={texts.leaveEmptyToSuggestIt}
          value={from}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        />
      </SimpleGrid>
      {error && !data && <ErrorState error={error} subject={texts.spotlightsInSentence} retry={() => void refetch()} />}
      {data && candidates.length === 0 && <Note>{texts.noOtherSpotlightsMatchYour}</Note>}
      <Rows label={texts.spotlightsToSuggest}>
        {candidates.slice(0, CANDIDATES).map((list) => (
          <Row key={list.list_id} list={list} note={describeState(list)}>
            <SuggestButton list={list} from={isoOf(from)} />
          </Row>
        ))}
      </Rows>
    </PageSection>
  )
}

/** @param from when it is suggested, as an ISO time; null for now, or once it is published */
function SuggestButton({ list: { list_id, version, title, state }, from }: { list: List; from: string | null }) {
  const suggest = useApiMutation(curation.suggestList, {
    invalidates: LISTS,
    success: () => ({
      message: from
        ? format(texts.listSuggestedFrom, { title, from: formatExactDate(from) })
        : format(texts.listSuggested, { title }),
    }),
    errorTitle: texts.couldntSuggestSpotlight,
  })
  const run = () => {
    // From now on: then it comes first, regardless of when it was published.
    const suggested_from = from ?? (state === 'published' ? new Date().toISOString() : null)
    suggest.mutate({ list_id, version, suggested: true, suggested_from })
  }
  return (
    <Button busy={suggest.isPending} aria-label={format(texts.suggestTitleLabel, { title })} onClick={run}>
      {texts.suggest}
    </Button>
  )
}
