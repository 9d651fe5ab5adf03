import { type catalogue, charts, curation, trending } from '@dubplate/contract'
import { pinSong } from '@dubplate/contract/schemas/trending'
import { Box, Card, Group, SimpleGrid, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconPin, IconTrendingUp } from '@tabler/icons-react'
import { useState } from 'react'
import { DateTimeInput } from '../../admin/formFields.tsx'
import { Note } from '../../admin/PageSection.tsx'
import { ResourceForm } from '../../admin/ResourceForm.tsx'
import { SongLine } from '../../catalogue/SongLine.tsx'
import { formatExactDate } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { isoOf, localOf } from '../../format/moments.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { toast } from '../../ui/toast.ts'
import composer from './Composer.module.css'
import { SongFinder } from './SongFinder.tsx'
import * as texts from './texts.ts'

type Pin = trending.Pin

/** A song about to be pinned, or whose pin is being changed. */
type Pinning = { entity_id: number; title: string; rank: number; until: string | null; previous_rank: number | null }

const LISTS = [trending.getTrending, curation.getSchedule, charts.getTrendingTracks]

/** Trending songs: the pinned ones, what members see, and what it is calculated from. */
export function Trending() {
  const { data, error, refetch } = useApiQuery(trending.getTrending, {})
  const [pinning, setPinning] = useState<Pinning>()
  if (error && !data) return <ErrorState error={error} subject={texts.trendingSongs} retry={() => void refetch()} />
  if (!data) return <Skeleton height={560} aria-busy role="status" aria-label={texts.loadingTrendingSongs} />
  const { shown, computed, pins } = data
  const choose = ({ entity_id, title }: Pick<catalogue.Song, 'entity_id' | 'title'>) =>
    setPinning(pinningOf(entity_id, title, pins))
  return (
    <Stack gap="lg">
      <Pins pins={pins} onEdit={choose} />
      {pinning && <PinForm key={pinning.entity_id} pinning={pinning} onClose={() => setPinning(undefined)} />}
      <SimpleGrid cols={{ base: 1, lg: 3 }} spacing="xl">
        <Stack component="section" gap="sm" miw={0}>
          <Title order={2}>{texts.pinASong}</Title>
          <SongFinder action="pin" chosen={new Set(pins.map(({ entity_id }) => entity_id))} onChoose={choose} />
        </Stack>
        <Ranking title={texts.shownToMembers} songs={shown} pins={pins} />
        <Ranking title={texts.byDownloadsAndListens} songs={computed} pins={[]} />
      </SimpleGrid>
    </Stack>
  )
}

/** The existing pin of a song; for other songs the first free rank. */
function pinningOf(entity_id: number, title: string, pins: readonly Pin[]): Pinning {
  const pin = pins.find((pin) => pin.entity_id === entity_id)
  const ranks = Array.from({ length: trending.TRENDING_LENGTH }, (_, n) => n + 1)
  const free = ranks.find((rank) => pins.every((pin) => pin.rank !== rank)) ?? 1
  return { entity_id, title, rank: pin?.rank ?? free, until: pin?.until ?? null, previous_rank: pin?.rank ?? null }
}

function Pins({ pins, onEdit }: { pins: Pin[]; onEdit: (pin: Pin) => void }) {
  const undo = useApiMutation(trending.pinSong, { invalidates: LISTS, errorTitle: texts.couldntUndo })
  const unpin = useApiMutation(trending.unpinSong, { invalidates: LISTS, errorTitle: texts.couldntUnpinTheSong })
  const remove = ({ entity_id, rank, title, until }: Pin) =>
    unpin.mutate(
      { entity_id, rank },
      {
        onSuccess: () =>
          void toast({
            message: format(texts.unpinned, { title }),
            action: { label: texts.undo, run: () => undo.mutate({ entity_id, rank, until }) },
          }),
      },
    )
  if (pins.length === 0) return <Note>{texts.noPinnedSongsPinA}</Note>
  return (
    <Stack component="ul" gap="sm" p={0} m={0} maw={720} aria-label={texts.pinnedSongs}>
      {pins.map((pin) => (
        <Group key={pin.entity_id} component="li" wrap="nowrap" gap="md">
          <Text w={28} ta="right" fw={640} className="num">
            {pin.rank}
          </Text>
          <Box flex={1} miw={0}>
            <Text fw={580}>{pin.title}</Text>
            <Text fz="sm" c="var(--text-2)">
              {pin.artist} ·{' '}
              {pin.until ? format(texts.untilDate, { until: formatExactDate(pin.until) }) : texts.noEndDate}
              {pin.unpublished && ` · ${texts.unpublishedHiddenFromMembers}`}
            </Text>
          </Box>
          <Button aria-label={format(texts.editPinFor, { title: pin.title })} onClick={() => onEdit(pin)}>
            {texts.edit}
          </Button>
          <Button aria-label={format(texts.unpinTitleLabel, { title: pin.title })} onClick={() => remove(pin)}>
            {texts.unpin}
          </Button>
        </Group>
      ))}
    </Stack>
  )
}

/** The rank and end date of a pin. */
function PinForm({ pinning, onClose }: { pinning: Pinning; onClose: () => void }) {
  const { entity_id, title, previous_rank } = pinning
  const form = useResourceForm({
    call: pinSong,
    values: { rank: String(pinning.rank), until: localOf(pinning.until) },
    toInput: ({ rank, until }) => ({
      ...{ entity_id, previous_rank, rank },
      // An unchanged time keeps its seconds.
      until: until === localOf(pinning.until) ? pinning.until : isoOf(until),
    }),
    invalidates: LISTS,
    success: (_, { rank }) => ({ message: format(texts.pinnedAtRank, { title, rank }) }),
    onSaved: onClose,
  })
  const name = format(texts.pinTitle, { title })
  return (
    <Card maw={720} onKeyDown={({ key }) => key === 'Escape' && onClose()}>
      <ResourceForm form={form} label={name} saveLabel={texts.pin} onClose={onClose}>
        <Title order={2}>{name}</Title>
        <SimpleGrid cols={2}>
          <TextInput
            label={texts.rank}
            type="number"
            min={1}
            max={trending.TRENDING_LENGTH}
            data-autofocus
            {...form.field('rank', format(texts.n1To, { TRENDING_LENGTH: trending.TRENDING_LENGTH }))}
          />
          <DateTimeInput label={texts.ends} {...form.field('until', texts.leaveEmptyForNoEnd)} />
        </SimpleGrid>
      </ResourceForm>
    </Card>
  )
}

type RankingProps = { title: string; songs: charts.RankedSong[]; pins: Pin[] }

const Ranking = ({ title, songs, pins }: RankingProps) => (
  <Stack component="section" gap="sm" miw={0} aria-label={title}>
    <Title order={2}>{title}</Title>
    {songs.length === 0 && (
      <EmptyState icon={<IconTrendingUp size={24} />} title={texts.noTrendingSongsYet}>
        {texts.trendingIsCalculatedFromDownloads}
      </EmptyState>
    )}
    <ol className={composer.songs}>
      {songs.map((song) => (
        <SongLine
          key={song.entity_id}
          song={song}
          list={songs}
          lead={
            <Text w={24} ta="right" c="var(--text-2)" className="num">
              {song.rank}
            </Text>
          }
        >
          {pins.some(({ entity_id }) => entity_id === song.entity_id) && (
            <Box c="var(--accent-ink)" title={texts.pinned}>
              <IconPin size={16} aria-hidden />
              <span className="sr">{texts.pinnedInSentence}</span>
            </Box>
          )}
        </SongLine>
      ))}
    </ol>
  </Stack>
)
