import { catalogue, type review, type uploadedSongs } from '@dubplate/contract'
import { Alert, DataList, Stack, Table, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { KeyBadge } from '../../catalogue/KeyBadge.tsx'
import { formatDate } from '../../format/dates.ts'
import { formatBpmRange, formatExactDate } from '../../format/format.ts'
import { formatList } from '../../format/formatList.ts'
import { rich } from '../../format/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { SourceMark } from '../../uploads/Field.tsx'
import * as texts from './texts.ts'
import { UploadVersion } from './UploadVersion.tsx'
import { DECIDED, nearness, sectionName } from './uploadStates.ts'

/** A song's values, what publishing it would change, its versions, and other songs with the same recording. */
export const UploadDetails = ({ upload: { song, versions, differences, twins, history } }: Props) => (
  <Stack gap="lg">
    {song.is_edit && <Differences differences={differences} />}
    <Duplicates twins={twins} />
    <Values song={song} />
    <Stack component="ol" gap="md" aria-label={texts.versions}>
      {versions.map((slot, index) => (
        <UploadVersion key={slot.song_version_id} slot={slot} number={index + 1} faults={comparedFaults(song, slot)} />
      ))}
    </Stack>
    {history.length > 0 && (
      <Part title={texts.history}>
        <Stack component="ol" gap="xs">
          {history.map((entry) => (
            <Text key={`${entry.at} ${entry.decision}`} component="li" size="sm" c="var(--text-2)">
              <HistoryEntry entry={entry} />
            </Text>
          ))}
        </Stack>
      </Part>
    )}
  </Stack>
)

type Props = { upload: review.ReviewedSong }

/**
 * Problems that only show in comparison with the other versions, such as a different length; those of the file itself
 * are shown elsewhere.
 */
const comparedFaults = ({ faults }: review.ReviewedSong['song'], { name, file }: uploadedSongs.Slot) =>
  faults.filter(
    ({ version_label, code }) => version_label === name && !file.analysis.faults.some((fault) => fault.code === code),
  )

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <Title order={3} size="h2" mb="xs">
      {title}
    </Title>
    {children}
  </section>
)

function Differences({ differences }: Pick<review.ReviewedSong, 'differences'>) {
  if (differences.length === 0) return <Text c="var(--text-2)">{texts.noChangesToThePublished}</Text>
  return (
    <Part title={texts.changesToThePublishedVersion}>
      <Table layout="fixed" horizontalSpacing="xs" style={{ overflowWrap: 'anywhere' }}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{texts.field}</Table.Th>
            <Table.Th scope="col">{texts.current}</Table.Th>
            <Table.Th scope="col">{texts.newLabel}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differences.map(({ field, before, after }) => (
            <Table.Tr key={`${field} ${before} ${after}`}>
              <Table.Th scope="row">{field}</Table.Th>
              <Table.Td>{before === null ? <i>{texts.none}</i> : <del>{before}</del>}</Table.Td>
              <Table.Td>{after === null ? <i>{texts.removed}</i> : <ins>{after}</ins>}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Part>
  )
}

function Values({ song }: Pick<review.ReviewedSong, 'song'>) {
  const { sources, title, artist, year, song_key, min_bpm, max_bpm, song_section_id, expire_date } = song
  const values: { name: string; source?: uploadedSongs.Source; value: ReactNode }[] = [
    { name: texts.title, source: sources.title, value: title },
    { name: texts.artist, source: sources.artist, value: artist },
    { name: texts.year, source: sources.year, value: year ?? '–' },
    { name: texts.bpm, source: sources.bpm, value: formatBpmRange(min_bpm, max_bpm) },
    { name: texts.key, source: sources.song_key, value: <KeyBadge songKey={song_key} /> },
    { name: texts.genres, source: sources.genres, value: <GenreNames ids={song.genres} /> },
    { name: texts.section, value: sectionName(song_section_id) },
    { name: texts.expires, value: formatDate(expire_date) },
  ]
  return (
    <DataList labelWidth={92}>
      {values.map(({ name, source, value }) => (
        <DataList.Item key={name}>
          <DataList.ItemLabel>{name}</DataList.ItemLabel>
          <DataList.ItemValue>
            {value} <SourceMark source={source} />
          </DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  )
}

function GenreNames({ ids }: { ids: readonly number[] }) {
  const { data } = useApiQuery(catalogue.getGenresWithCount, {})
  const all = data?.genres.flatMap((main) => [main, ...main.subgenre]) ?? []
  return formatList(all.filter(({ genre_id }) => ids.includes(genre_id)).map(({ name }) => name)) || '–'
}

const Duplicates = ({ twins }: Pick<review.ReviewedSong, 'twins'>) =>
  twins.length > 0 && (
    <Alert color="var(--warn)" title={texts.possibleDuplicates} role="note">
      <Stack component="ul" gap="xs">
        {twins.map((duplicate) => (
          <li key={`${duplicate.version_label} ${duplicate.entity_id} ${duplicate.duplicate_label}`}>
            <Duplicate duplicate={duplicate} />
          </li>
        ))}
      </Stack>
    </Alert>
  )

function Duplicate({ duplicate }: { duplicate: review.UploadDuplicate }) {
  const { version_label, artist, title, duplicate_label, entity_id } = duplicate
  const song = (inside: ReactNode) => (
    <Link to="/song/$entityId" params={{ entityId: entity_id }}>
      {inside}
    </Link>
  )
  const percent = nearness(duplicate)
  return percent === undefined
    ? rich(texts.identicalFileTo, { version_label, artist, title, duplicate_label, song })
    : rich(texts.sameRecordingAs, { version_label, percent, artist, title, duplicate_label, song })
}

function HistoryEntry({ entry: { decision, by, at, reason } }: { entry: review.ReviewedSong['history'][number] }) {
  const values = {
    by,
    at: formatDate(at),
    time: (inside: ReactNode) => (
      <time dateTime={at} title={formatExactDate(at)}>
        {inside}
      </time>
    ),
  }
  const { plain, because } = DECIDED[decision]
  return reason ? rich(because, { ...values, reason }) : rich(plain, values)
}
